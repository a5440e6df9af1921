import { codeTable } from '../../../src/domain/steps/codes'
import { resolveOptions } from '../../../src/options/resolve-options'
import { memoryStorage } from '../../../src/storage/memory/index'
import { entryFile, entryNames, exportsOf } from '../support/declarations'
import { blocks, plain, prose, quoted, readText, skill, table } from '../support/markdown'

const text = readText(skill)
const reference = readText('docs/reference.md')
const column = (heading: string, name: string) =>
  table(reference, heading, name).map(([cell = '']) => plain(cell).replace(/\(.*/, ''))

describe('SKILL.md', () => {
  it('has at most 60 lines, a name that is its folder, and a description', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
    expect(text).toMatch(/^---\nname: express-change-requests\ndescription: .{50,1024}\n---\n/)
    expect(skill.split('/').at(-2)).toBe('express-change-requests')
  })

  it('names only what exists: options, permissions, exports, members, commands and codes', () => {
    const permissions = table(readText('docs/permissions.md'), '## What each permission allows', 'Permission')
    const exported = new Map(entryNames.flatMap((entry) => [...exportsOf(entryFile(entry))]))
    const members = ['FlagGateway', 'ApplyContext', 'Actor', 'ChangeRequestError'].flatMap((name) =>
      [...(exported.get(name)?.text ?? '').matchAll(/^ {4}(?:readonly )?(\w+)\??[:(]/gm)].map(
        ([, member = '']) => member,
      ),
    )
    const known = new Set([
      ...Object.keys(resolveOptions({ storage: memoryStorage(), authenticate: () => null })),
      ...permissions.map(([name = '']) => plain(name)),
      ...exported.keys(),
      ...column('## The router', 'Member').map((name) => `router.${name}`),
      ...column('## The command', 'Command').map((name) => `npx express-change-requests ${name}`),
      ...table(reference, '## The command', 'Option').flatMap(([names = '']) => quoted(names)),
      ...Object.keys(codeTable),
      ...members,
      ...members.map((member) => `context.${member}`),
    ])
    const named = quoted(prose(text)).map((name) => name.replace(/\(.*/, ''))
    expect(named.filter((name) => !known.has(name) && name !== 'TypeError')).toEqual([])
    expect(named.length).toBeGreaterThan(30)
  })

  it('grants neither SKIP_CHANGE_REQUEST nor ADMIN, and says never to', () => {
    expect(blocks(text).filter(({ text }) => /SKIP_CHANGE_REQUEST|ADMIN/.test(text))).toEqual([])
    expect(text).toContain('Never grant `SKIP_CHANGE_REQUEST` or `ADMIN` to a machine')
  })
})
