// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../../../src')
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
    // A sequence belongs to the log, and it may have partitions.
    const harmless = /^(create table|not exists|insert into|.*\b(from|join)|on|owned by|partition of)$/
    for (const { path, use } of uses) expect([path, use]).toEqual([path, expect.stringMatching(harmless)])
    expect(uses.filter(({ use }) => use === 'delete from')).toEqual([])
  })

  it('loses nothing by way of another table: only rows of requests, subjects, idempotency records and counts are deleted', () => {
    const storage = sources.filter(({ path }) => path.startsWith('storage'))
    // The one table that goes is made by the printed script itself, to check the version.
    const otherRemovals =
      /\b(truncate|drop (table(?! \$\{check\})|index|sequence|column)|or replace|replace into|on delete)\b/i
    const deletions = storage.flatMap(({ text }) =>
      [...text.matchAll(/\bdelete from\s+(\$\{[^}]*\}|\S+)/gi)].map(([, from]) => from),
    )
    const mayGo = [
      "${table('change_requests')}",
      "${table('change_request_subjects')}",
      "${table('idempotency')}",
      // What is kept about events may be counted anew; the events may not.
      "${table('event_counts')}",
      "${table('event_tallies')}",
      // Two of the same tables, by the names that their statements give them.
      '${subjects}',
      '${idempotency}',
    ]

    expect(storage.filter(({ text }) => otherRemovals.test(text)).map(({ path }) => path)).toEqual([])
    expect(deletions.length).toBeGreaterThan(4)
    expect(deletions.filter((from = '') => !mayGo.includes(from))).toEqual([])
  })
})
