import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(__dirname, '../..')

/** The other tests of the example need the dependencies of its own package.json. */
it('examples/unleash: the client of the server distinguishes what was not written from what may have been', () => {
  const file = join(root, 'examples/unleash/test/client.test.js')
  const { status, stdout } = spawnSync(process.execPath, ['--test', file], { encoding: 'utf8' })
  expect(stdout).toMatch(/# pass [1-9]/)
  expect([status, stdout]).toEqual([0, expect.stringContaining('# fail 0')])
})
