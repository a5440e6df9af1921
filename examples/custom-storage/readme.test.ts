import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (file: string) => readFileSync(join(__dirname, file), 'utf8')
const readme = read('README.md')
const port = read('../../src/ports/storage/index.ts')
const declared = [...port.matchAll(/^ {2}(\w+)(\??)(?:<\w+>)?\(/gm)].map(([, name = '', optional]) => {
  return { name, optional: optional === '?' }
})
const methods = new Set(declared.filter(({ optional }) => !optional).map(({ name }) => name))
const optional = declared.filter((method) => method.optional).map(({ name }) => name)
const numbers = [
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
  'twenty-one',
  'twenty-two',
  'twenty-three',
]

describe('the README', () => {
  it('shows how it is mounted', () => {
    expect(readme).toContain(`\`\`\`ts\n${read('app.ts')}\`\`\`\n`)
  })

  it('explains each method of the port', () => {
    const explained = [...readme.matchAll(/^- \*\*`(\w+)\(.*?\)`\*\*/gm)].map(([, name]) => name)
    expect(explained.sort()).toEqual([...methods, ...optional].sort())
  })

  it('counts them, as does the README of the package', () => {
    const counted = `${numbers[methods.size - 15]} methods`
    expect(readme).toContain(`the ${counted}`)
    expect(read('../../README.md')).toContain(`\`Storage\`: ${counted}`)
  })
})
