import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import example from '../../../schemas/exported-change-request.json'
import { derive } from '../../../src/cli/api/evidence/derive'
import { folderSink } from '../../../src/cli/api/evidence/folder'
import { toPeriod } from '../../../src/cli/api/evidence/period'
import { style } from '../../../src/cli/api/evidence/report/style'
import { weeksChart } from '../../../src/cli/api/evidence/report/weeks-chart'
import { filesOf, removeFolders, temporaryFolder } from './support'

afterAll(removeFolders)

const tokensOf = (css: string) =>
  new Map(
    [...css.slice(0, css.indexOf('@media')).matchAll(/^\s*(--ecr-[\w-]+): (.+);$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )

describe('the report', () => {
  it('has the tokens of the review page', () => {
    const page = tokensOf(readFileSync(join(__dirname, '../../../src/page/app/style/tokens.css'), 'utf8'))
    const tokens = [...tokensOf(style)]
    expect(tokens.length).toBeGreaterThan(20)
    expect(tokens).toEqual(tokens.map(([name]) => [name, page.get(name)]))
    const used = new Set([...style.matchAll(/var\((--ecr-[\w-]+)\)/g)].map(([, name]) => name))
    expect([...used].filter((name) => !new Map(tokens).has(name))).toEqual([])
  })

  it('has 500 change requests in each file', async () => {
    const folder = temporaryFolder()
    const lines = Array.from({ length: 501 }, (_, index) => ({ ...example.examples[0], id: index + 1, events: [] }))
    writeFileSync(join(folder, 'requests.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    writeFileSync(join(folder, 'events.ndjson'), '')
    const query = { from: '2026-11-01', to: '2026-11-30', zone: 'UTC', projects: [] }
    const head = { query, release: '1.0.0', asOf: 0 }
    const counts = await derive(folder, head, toPeriod('2026-11-01', '2026-11-30', 'UTC'), folderSink(folder))
    expect(counts.requests).toBe(501)
    const files = filesOf(folder)
    const sections = (name: string) => files[name]?.match(/<section/g)?.length
    expect(readdirSync(folder).filter((name) => name.startsWith('requests-'))).toEqual([
      'requests-001.html',
      'requests-002.html',
    ])
    expect([sections('requests-001.html'), sections('requests-002.html')]).toEqual([500, 1])
    expect(files['report.html']).toContain('<a href="requests-002.html">#501 to #501</a>')
  })

  it('shows each week of a year, and labels those for which there is room', () => {
    const weeks = Array.from({ length: 53 }, (_, index) => {
      return { week: new Date(Date.UTC(2026, 0, 5 + 7 * index)).toISOString().slice(0, 10), count: index % 4 }
    })
    const { text } = weeksChart(weeks)
    expect(text.match(/<g>/g)).toHaveLength(53)
    expect(text.match(/<rect/g)).toHaveLength(weeks.filter(({ count }) => count > 0).length)
    expect(text.match(/>\d\d-\d\d</g)?.length).toBeLessThanOrEqual(13)
    expect(text).toContain('<title>Week of 2026-01-12: 1</title>')
  })
})
