import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../../src')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

describe('the log of events', () => {
  it('is only ever created, indexed, added to and read: no statement of src alters or removes an event', () => {
    const uses = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/([\w ]+?)\s+(?:as \w+ )?\$\{(?:table\('events'\)|events)\}/g)].map(([, words]) => ({
        path,
        use: words?.trim().split(/\s+/).slice(-2).join(' '),
      })),
    )

    expect(uses.length).toBeGreaterThan(5)
    for (const { use } of uses) expect(use).toMatch(/^(create table|not exists|insert into|.*\bfrom|on)$/)
    expect(uses.filter(({ use }) => use === 'delete from')).toEqual([])
  })

  it('loses nothing by way of another table: src deletes, truncates, drops and replaces nothing', () => {
    const removals = /\b(delete from|truncate|drop (table|index|sequence)|or replace|replace into|on delete)\b/i

    expect(sources.filter(({ path, text }) => path.startsWith('storage') && removals.test(text))).toEqual([])
  })
})
