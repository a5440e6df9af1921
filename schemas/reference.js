const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { defaultLimits } = require('../build/options/limits.js')
const { optionTable, required } = require('../build/options/option-table.js')

const guide = join(__dirname, '..', 'docs', 'reference.md')
const property = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)\??:/g

/** The options of an interface in `src/options`: name, default and description, from its docstrings. */
function documented(file) {
  const text = readFileSync(join(__dirname, '..', 'src', 'options', file), 'utf8')
  return [...text.matchAll(property)].map(([, comment, name]) => {
    const doc = comment
      .replace(/^\s*\* ?/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const [meaning, fallback = 'required'] = doc.split(' @defaultValue ')
    return { name, fallback, meaning: meaning.replace(/\{@link (\w+)\}/g, '`$1`') }
  })
}

/** @throws Error if the documented default is not the actual one */
function checkDefault({ name, fallback }, actual) {
  const expected = fallback === 'required' ? required : /^`.*`$/.test(fallback) ? literal(fallback) : undefined
  if (expected === undefined || expected === actual) return
  throw new Error(`src/options documents ${fallback} as the default of ${name}, but it is ${actual}`)
}

const literal = (text) => JSON.parse(text.slice(1, -1).replaceAll("'", '"'))

const limits = documented('limits.ts').map((row) => {
  checkDefault(row, defaultLimits[row.name])
  return { ...row, name: `limits.${row.name}` }
})
const rows = documented('router-options.ts').flatMap((row) => {
  if (row.name === 'limits') return limits
  checkDefault(row, optionTable[row.name].default)
  return [row]
})
const missing = Object.keys(optionTable).filter((name) => !rows.some((row) => row.name === name))
if (missing.length > 0) throw new Error(`src/options/router-options.ts has no ${missing.join(', ')}`)

const cells = [
  ['Option', 'Default', 'Meaning'],
  ...rows.map(({ name, fallback, meaning }) => [`\`${name}\``, fallback, meaning]),
]
const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => [...row[column]].length)))
const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |\n`
const [head, ...body] = cells.map(line)
const table = head + line(widths.map((width) => '-'.repeat(width))) + body.join('')

const before = readFileSync(guide, 'utf8')
const place = /(## Options\n\n[^|]*)(?:\|.*\n)+/
if (!place.test(before)) throw new Error('docs/reference.md has no table of options')
writeFileSync(
  guide,
  before.replace(place, (_, lead) => lead + table),
)
