const { readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

const width = 100

/**
 * The example of a schema file: its own, else one made of what it refers to.
 * @param {string} file
 * @returns {unknown}
 */
function exampleOf(file) {
  const schema = JSON.parse(readFileSync(file, 'utf8'))
  const target = (reference) => exampleOf(join(dirname(file), reference))
  if (schema.examples) return schema.examples[0]
  if (schema.$ref) return target(schema.$ref)
  if (schema.oneOf) return target(schema.oneOf[0].$ref)
  if (schema.items?.$ref) return [target(schema.items.$ref)]
  throw new Error(`${file} has no example`)
}

/**
 * A value as TypeScript, on one line where it fits.
 * @param {unknown} value
 * @param {string} indent
 * @param {number} taken what stands before it on its line
 * @returns {string}
 */
function source(value, indent = '', taken = indent.length) {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const list = Array.isArray(value)
  const [open, close, gap] = list ? ['[', ']', ''] : ['{', '}', ' ']
  const keys = Object.keys(value).map((key) => (list ? '' : `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`}: `))
  const members = Object.values(value)
  const flat = `${open}${gap}${members.map((member, at) => keys[at] + source(member, '', -1e6)).join(', ')}${gap}${close}`
  if (members.length === 0) return `${open}${close}`
  if (taken + flat.length <= width) return flat
  const inner = `${indent}  `
  const lines = members.map(
    (member, at) => `${inner}${keys[at]}${source(member, inner, inner.length + keys[at].length)},\n`,
  )
  return `${open}\n${lines.join('')}${indent}${close}`
}

/**
 * The lines of a docstring that show a value of the type that a schema file describes.
 * @param {string} file
 * @param {string} title
 * @returns {string}
 */
function exampleComment(file, title) {
  const name = (/[A-Z][a-z]+$/.exec(title)?.[0] ?? 'value').toLowerCase()
  const start = `const ${name}: ${title} = `
  return `\n\n@example\n\`\`\`ts\n${start}${source(exampleOf(file), '', start.length)}\n\`\`\``
}

module.exports = { exampleComment }
