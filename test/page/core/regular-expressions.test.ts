import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(__dirname, '../../../src/page/app')

/**
 * Regular expressions read addresses, form fields, names, numbers and words of the page, never a type or sentence of the
 * server, except for the path that ends some messages (contract 11.3).
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // Addresses of the page.
  'core/places/navigation.ts': [
    String.raw`/\/+$/`,
    String.raw`/^\/projects\/([^/]+)\/(change-requests|flags|segments)\/([^/]+)$/`,
    String.raw`/^\d{1,16}$/`,
    String.raw`/^\/*/`,
  ],
  'core/tools/config.ts': [String.raw`/\/+$/`],
  'read-config.ts': [String.raw`/\/$/`],
  // The initials of a person.
  'parts/marks/person.tsx': [String.raw`/[\s._-]+/u`, String.raw`/[\p{L}\p{N}]/u`],
  // The words of a text.
  'parts/changes/compare.ts': [String.raw`/\s+|[\p{L}\p{N}_]+|./gu`],
  // Labels of fields.
  'words/fields/constraints.ts': ['/^[a-z]+$/'],
  'screens/authoring/model/schema.ts': ['/number|boolean/', '/^.+$/', '/[a-z](?=[A-Z])/g'],
  // What the user enters as a share, a list of values, or the id of a segment.
  'screens/flag/model/weights.ts': [String.raw`/^(\d{1,3})(?:[.,](\d?))?$/`, String.raw`/[\s%]/g`],
  'screens/flag/fields/tokens.tsx': [String.raw`/[,\t\r\n]/`],
  'screens/flag/fields/segments.tsx': [String.raw`/^\d+$/`],
  'screens/new/index.tsx': [String.raw`/^\d{1,15}$/`],
  'screens/request/dialogs/permalink.tsx': [String.raw`/^(change|comment)-(\d+)$/`],
  // Operators of constraints, and the path of a field.
  'screens/flag/fields/constraints.tsx': ['/^(?:STR_|REGEX)/'],
  'screens/flag/model/edit.ts': [String.raw`/^\/strategies\/[^/]+$/`],
  // The path of a value in a request.
  'screens/flag/errors.ts': [String.raw`/^(?:\/body)?(?:\/changes)?(?:\/(\d+))?(?:\/payload)?((?:\/.*)?)$/s`],
  // The path that ends a message, and the address of a change request in the API.
  'screens/authoring/model/answers.ts': [
    String.raw`/\bat (\/\S+)$/`,
    String.raw`/\/projects\/([^/]+)\/change-requests\/(\d+)$/`,
  ],
  // The name of an exported file.
  'screens/inbox/filter/filters.ts': ['/^\\d{1,15}$/'],
  'screens/log/export/formats.ts': [String.raw`/[^\p{L}\p{N}._-]+/gu`],
  // A key that types a mark.
  'core/tools/keys.ts': [String.raw`/^[^\p{L}\d]$/u`],
  // What the user enters as a filter.
  'screens/log/search/filter.ts': [String.raw`/^-?\d{1,15}$/`],
  // A word that begins a sentence, not an abbreviation; a script that is written from right to left.
  'words/fields/row.ts': ['/^[A-Z](?![A-Z])/'],
  'words/isolated.ts': ['/[\\u0590-\\u08ff]/', String.raw`/\p{Zs}/gu`],
  // Characters that can't be seen, and numbers with their units, in any text.
  'words/visible.ts': [
    'new RegExp(',
    String.raw`/^[\s“]?$/`,
    String.raw`/^(?:[\s”]|[,.](?!\S)|$)/`,
    String.raw`/"(?:[^"\\]|\\.)*"/g`,
    String.raw`/(\\n *)/`,
    String.raw`/[\s\S]/g`,
    String.raw`/\r?\n */g`,
  ],
  'parts/marks/unseen.tsx': [
    String.raw`/(\p{Nd}) (?=%|\d{3}\b|(?:min|h|d|s|[AP]M|[kMG]?B|bytes)\b)/gu`,
    String.raw`/^\r?\n? *$/`,
  ],
}

/** A literal after an operator or a bracket, or a constructor. */
const expression =
  /(?<=(?:[=(,:?[!&|>]|return)\s*)\/(?![/*\s>])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+\/[dgimsuvy]*(?=[.,);\]\s]|$)|new RegExp\(/g

function expressionsIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => !/^\s*(?:\*|\/\/|\/\*|import )/.test(line))
  return lines.flatMap((line) => line.match(expression) ?? [])
}

describe('the page', () => {
  it('parses no type and no message of the server with a regular expression', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
    const found = files.map((file) => [file, expressionsIn(readFileSync(join(folder, file), 'utf8'))] as const)
    expect(Object.fromEntries(found.filter(([, expressions]) => expressions.length > 0))).toEqual(allowed)
  })
})
