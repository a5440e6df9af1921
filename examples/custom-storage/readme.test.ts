import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from 'express-change-requests'
import { requiredStorageMethods } from '../../src/ports/storage/requirements'

const read = (file: string) => readFileSync(join(__dirname, file), 'utf8')
const readme = read('README.md')
// Typed by the port, so that it does not compile without a new optional method.
const optional = {
  recountEvents: true,
  onAppend: true,
  onProblem: true,
  transaction: true,
  transactionSync: true,
  within: true,
  consumers: true,
  inspect: true,
} satisfies { [Name in keyof Storage as undefined extends Storage[Name] ? Name : never]-?: true }

describe('the README', () => {
  it('shows how it is mounted', () => {
    expect(readme).toContain(`\`\`\`ts\n${read('app.ts')}\`\`\`\n`)
  })

  it('explains each member of the port', () => {
    const explained = [...readme.matchAll(/^- \*\*`(\w+)(?:\(.*?\))?`\*\*/gm)].map(([, name]) => name)
    expect(explained.sort()).toEqual([...requiredStorageMethods, ...Object.keys(optional)].sort())
  })
})
