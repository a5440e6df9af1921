import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { memoryStorage } from '../../src'
import { root } from '../package/support/folders'
import { blocks, plain, readText, section, table } from '../package/support/markdown'
import { measuredApp } from './support/measured-app'
import { startSdk } from './support/sdk'

const guide = readText('docs/telemetry.md')
const rows = table(guide, '## Know what is measured', 'Instrument').map((row) => row.map(plain))
const kinds = ['histogram', 'counter', 'gauge', 'up-down counter']

/** The names that Prometheus gives to an instrument. */
function seriesOf([name = '', kindAndUnit = '']: readonly string[]): string[] {
  const [kind, unit] = kindAndUnit.split(', ')
  const base = `${name.replaceAll('.', '_')}${unit === 's' ? '_seconds' : ''}`
  if (kind === 'histogram') return ['_bucket', '_sum', '_count'].map((end) => `${base}${end}`)
  return [kind === 'counter' ? `${base}_total` : base]
}

describe('docs/telemetry.md', () => {
  it('lists every instrument with its unit', async () => {
    const sdk = startSdk()
    const names = rows.map(([name]) => name)
    const created: [string, string][] = []
    const meter = sdk.meters.getMeter('host')
    const record = (method: string) => (name: string, options: { unit: string }) => {
      created.push([name, options.unit])
      return (meter as never as Record<string, (...given: unknown[]) => object>)[method]?.(name, options)
    }
    const methods = ['createCounter', 'createHistogram', 'createObservableGauge', 'createObservableUpDownCounter']
    const recording = Object.fromEntries(methods.map((method) => [method, record(method)]))
    const given = { addBatchObservableCallback() {}, removeBatchObservableCallback() {}, ...recording }
    const app = await measuredApp(memoryStorage(), { telemetry: { meter: given as never } })
    await app.close()
    await sdk.stop()

    expect(created.map(([name]) => name).sort()).toEqual([...names].sort())
    for (const [name, kindAndUnit = ''] of rows) {
      const [kind, unit] = kindAndUnit.split(', ')
      expect(kinds).toContain(kind)
      expect([name, unit]).toEqual(created.find(([one]) => one === name))
    }
  })

  it('has alerts and a dashboard that use only these instruments, and the dashboard all of them', () => {
    const series = rows.flatMap(seriesOf)
    const namesIn = (text: string) => text.match(/\bchange_request_\w+?(?=[{[)\s]|$)/gm) ?? []
    const [alerts] = blocks(section(guide, '## Add alerts'))
    const { groups } = parse(alerts?.text ?? '') as { groups: { rules: { alert: string; expr: string }[] }[] }
    const rules = groups.flatMap((group) => group.rules)
    expect(rules.length).toBeGreaterThan(3)
    const labels = ['change_request_consumer_name', 'change_request_operation', 'change_request_state']
    const known = (name: string) => series.includes(name) || labels.some((label) => name.startsWith(label))
    for (const { expr } of rules) expect(namesIn(expr).filter((name) => !known(name))).toEqual([])

    const dashboard = JSON.parse(readFileSync(join(root, 'docs/telemetry-dashboard.json'), 'utf8'))
    const panels = dashboard.panels as { targets: { expr: string }[] }[]
    const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)))
    expect(shown.filter((name) => !known(name))).toEqual([])
    for (const row of rows)
      expect(shown).toEqual(
        expect.arrayContaining([expect.stringMatching(seriesOf(row)[0]?.replace('_bucket', '') ?? '')]),
      )
  })
})
