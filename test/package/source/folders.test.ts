import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../support/folders'

const most = 12

/** Every folder below this one with the number of files that stand in it side by side. */
function folders(top: string): { folder: string; files: number }[] {
  const entries = readdirSync(top, { withFileTypes: true })
  const own = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  const below = own.flatMap(({ name }) => folders(join(top, name)))
  return [{ folder: relative(root, top), files: entries.filter((entry) => entry.isFile()).length }, ...below]
}

describe.each(['src', 'test', 'examples'])('%s', (top) => {
  it('has no folder with more than a dozen files', () => {
    const all = folders(join(root, top))
    expect(all.length).toBeGreaterThan(5)
    expect(all.filter(({ files }) => files > most)).toEqual([])
  })
})
