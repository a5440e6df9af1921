import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { root } from './support/folders'

const tests = ['test', 'examples']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ file: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
  .filter(({ file }) => !file.startsWith('test/bench/') && !file.includes('/node_modules/'))

/** Gives up after ten minutes. */
const untilItIsSo = 'test/faults/server.ts'

const find = (pattern: RegExp) => tests.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

describe('the tests, of which none may depend on how fast a machine is', () => {
  it('read no clock but to give up waiting, or to see that something came too soon', () => {
    const clocks = /\bperformance\s*\.\s*now\b|\bDate\s*\.\s*now\b|\bhrtime\b/
    expect(find(clocks).sort()).toEqual([untilItIsSo, 'test/storage/event-tail.test.ts'])
  })

  it('have one time limit, that of jest.config.js', () => {
    expect(find(/\bjest\s*\.\s*setTimeout\b/)).toEqual([])
    expect(find(/^ *(?:\}, )?\d[\d_]{3,}\)?,?$/m)).toEqual([])
  })
})
