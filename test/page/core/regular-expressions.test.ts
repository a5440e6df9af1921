import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(__dirname, '../../../src/page/app')

/** Regular expressions read addresses, form fields, names, numbers and words of the page, never a type or sentence of the server. */
const allowed = [
  'core/places/navigation.ts',
  'core/tools/config.ts',
  'parts/marks/person.tsx',
  'read-config.ts',
  'screens/inbox/entries.ts',
  'screens/log/event/event-rows.ts',
  'screens/log/export/formats.ts',
  'screens/log/search/filter.ts',
  'screens/settings/rules/rule-words.ts',
  'words/effects/audience.ts',
  'words/effects/effects.ts',
  'words/events.ts',
  'words/fields/constraints.ts',
  'words/numbers.ts',
]

/** A literal after an operator or a bracket, or a constructor. */
const expression = /(?:[=(,:?[!&|]\s*\/(?![/*\s>])[^\n]*\/[dgimsuvy]*(?:[.,);\]\s]|$)|new RegExp\()/

describe('the page', () => {
  it('reads no type and no sentence of the server by a regular expression', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
    const found = files.filter((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .some((line) => !/^\s*(?:\*|\/\/|\/\*|import )/.test(line) && expression.test(line)),
    )
    expect(found.sort().filter((file) => !allowed.includes(file))).toEqual([])
    expect(found).toContain('words/numbers.ts')
  })
})
