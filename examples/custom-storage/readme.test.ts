import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryStorage, type Storage } from 'express-change-requests'
import { describeStorage } from 'express-change-requests/testing'
import { requiredStorageMethods } from '../../src/ports/storage/requirements'

const read = (file: string) => readFileSync(join(__dirname, file), 'utf8')
const readme = read('README.md')
// Typed by the port, so that it does not compile without a new optional method.
const optional = Object.keys({
  onAppend: true,
  onProblem: true,
  transaction: true,
  transactionSync: true,
  within: true,
  consumers: true,
} satisfies {
  [Name in keyof Storage as undefined extends Storage[Name] ? Name : never]-?: true
})

/** The titles that the suite gives to its groups of rules. */
function groupsOfSuite(): string[] {
  const groups = new Set<string>()
  const open: string[] = []
  const runner = {
    describe(title: string, body: () => void) {
      open.push(title)
      body()
      open.pop()
    },
    it: () => void (open.length > 1 && groups.add(open.at(-1) ?? '')),
    expect: () => ({ toBe() {}, toEqual() {} }),
  }
  describeStorage(runner, 'no storage', async () => ({ storage: memoryStorage(), close: async () => {} }))
  return [...groups]
}

const section = (title: string) => readme.split(`## ${title}\n`)[1]?.split(/^## /m)[0] ?? ''
const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const quoted = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

describe('the README', () => {
  it('shows how it is mounted', () => {
    expect(readme).toContain(`\`\`\`ts\n${read('app.ts')}\`\`\`\n`)
  })

  it('explains each method of the port', () => {
    const explained = [...readme.matchAll(/^- \*\*`(\w+)(?:\(.*?\))?`\*\*/gm)].map(([, name]) => name)
    expect(explained.sort()).toEqual([...requiredStorageMethods, ...optional].sort())
  })

  it('lists each member of the port with what it guarantees, and the rules of the suite that check it', () => {
    const rows = [...section('What each method guarantees').matchAll(/^\|.*\|$/gm)]
      .slice(2)
      .map(([line]) => cells(line))
    expect(rows.map(([method]) => quoted(method)[0]).sort()).toEqual(
      ['portVersion', ...requiredStorageMethods, ...optional].sort(),
    )
    expect(rows.filter(([method]) => method?.endsWith('(optional)')).map(([method]) => quoted(method)[0])).toEqual(
      optional,
    )
    const rules = rows.flatMap(([, , checkedBy]) => {
      const names = quoted(checkedBy)
      expect(names).not.toEqual([])
      return names
    })
    expect([...new Set(rules)].sort()).toEqual(groupsOfSuite().sort())
  })
})
