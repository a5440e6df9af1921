import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './support/folders'

/** Starts the benches with a log of a few events, each path once; returns the results by path. */
function startBench(...what: readonly string[]): Map<string, string> {
  const few = ['--database', 'sqlite', '--rows', '12', '--ms', '1', '--rounds', '0']
  const output = execFileSync(process.execPath, [join(root, 'test/bench/index.js'), ...what, ...few], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const rows = output.split('\n').filter((line) => line.startsWith('| sqlite'))
  return new Map(
    rows
      .map((row) => row.split('|').map((cell) => cell.trim()))
      .map(([, , path = '', ...cells]) => [path, cells.at(-2) ?? '']),
  )
}

describe('the benches', () => {
  it('start each path, also next to a naive implementation', () => {
    const groups = ['events', 'search', 'export', 'change-request', 'discussion', 'inbox', 'add-change', 'gate']
    const results = startBench(...groups, 'schedule', 'startup', 'consumers', 'follow')
    expect([...results].filter(([, result]) => result !== 'starts')).toEqual([])
    expect(results.size).toBeGreaterThan(100)
  })

  it.each([['before-after', '--base', root], ['growth', '--sizes', '5,10'], ['handles'], ['telemetry']])(
    'compare %s',
    (...mode) => {
      const [name = '', ...options] = mode
      const results = startBench(name, 'events', ...options, '--only', 'newest 100, nothing new')
      expect([...results.values()]).toEqual(['starts'])
    },
  )
})
