import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './support/folders'

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

/** A process of its own, which no host runs. */
const ofTheCommand = /^src\/cli\.ts:\d+: process\.(?:argv|env|stdout|stderr|exitCode)$/

describe('src', () => {
  it.each([
    ['signals and events of the process', /\bprocess\s*\.\s*(?:on|once|addListener|prependListener)\b/g],
    ['the end of the process', /\bprocess\s*\.\s*(?:exit|abort|kill|exitCode)\b/g],
    ['the environment', /\bprocess\s*\.\s*env\b/g],
    ['the arguments', /\bprocess\s*\.\s*argv\b/g],
    ['standard input and output', /\bprocess\s*\.\s*std(?:in|out|err)\b/g],
    ['a port of its own', /\.\s*listen\s*\(/g],
    ['the console', /\bconsole\s*\./g],
  ])('does not use %s', (_, pattern) => {
    expect(find(pattern).filter((place) => !ofTheCommand.test(place))).toEqual([])
  })

  it('uses its process only in the file of the command, and never exits it', () => {
    expect(find(/\bprocess\s*\.\s*\w+/g).filter((place) => place.startsWith('src/cli'))).toEqual([
      'src/cli.ts:4: process.argv',
      'src/cli.ts:5: process.env',
      'src/cli.ts:6: process.stdout',
      'src/cli.ts:7: process.stderr',
      'src/cli.ts:9: process.exitCode',
    ])
  })

  it.each([
    ['fetch', /\bfetch\s*\(/g],
    ['http.request and the like', /\bhttps?2?\s*\.\s*(?:request|get|connect)\b/g],
    ['undici', /\bundici\b/g],
    ['sockets', /\b(?:net|tls|dgram)\s*\.\s*(?:connect|createConnection|createSocket)\b/g],
    ['imports that could', /from '(?:node:)?(?:https|http2|tls|dgram|dns|child_process|cluster|worker_threads)'/g],
    ['a value import of node:net', /^import \{(?! type\b)[^}]*\} from 'node:net'/gm],
  ])('makes no outgoing calls: %s', (_, pattern) => {
    expect(find(pattern)).toEqual([])
  })

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
