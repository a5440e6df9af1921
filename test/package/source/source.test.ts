import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../support/folders'

const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ file: relative(root, path), text: withoutComments(readFileSync(path, 'utf8')) }))

/** Line by line, so that the lines keep their numbers; none of ours stands inside a text. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, '')).replace(/(^|\s)\/\/.*$/gm, '$1')
}

function find(pattern: RegExp): string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${file}:${line}: ${found.trim()}`
    }),
  )
}

describe('src', () => {
  it('puts no values into raw SQL of Knex', () => {
    expect(find(/\braw\s*\(\s*`[^`]*\$\{/g)).toEqual([])
  })

  it('neither updates nor deletes events', () => {
    expect(find(/\b(?:update|delete\s+from|replace\s+into|truncate)\s+\$\{table\('events'\)\}/gi)).toEqual([])
  })

  it('contains no path of a machine', () => {
    expect(find(/(?:^|[\s'"`(])(?:\/(?:home|root|tmp|usr|var|work|Users)\/|[A-Z]:\\)/gm)).toEqual([])
  })
})
