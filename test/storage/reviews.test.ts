import fc from 'fast-check'
import { listedFacts, summarize } from '../../src/domain/content/summary'
import { states } from '../../src/generated/lists'
import type { GroupKey, ReviewCase, ReviewCursor, ReviewSearch } from '../../src/ports/storage/change-requests'
import type { Storage } from '../../src/ports/storage/storage'
import { memoryStorage } from '../../src/storage/memory'
import { random } from '../support/random'
import { changeRequest, stores, write } from './fixtures'

const projects = ['shop', 'bank'] as const
const environments = ['production', 'staging'] as const
const scopes = ['environment', 'project'] as const
const subjects = ['reviewed:1', 'approver:2', 'feature:a', 'stopped:1']
const ranges = [
  { from: 'approver:2', to: 'feature:a' },
  { from: 'reviewed:1', to: 'reviewed:1:' },
]
const times = [0, 1, 2].map((minute) => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString())

const samples = fc.array(
  fc.record({
    project: fc.constantFrom(...projects),
    environment: fc.constantFrom(...environments),
    scope: fc.constantFrom(...scopes),
    state: fc.constantFrom(...states),
    author: fc.integer({ min: 1, max: 3 }),
    createdAt: fc.constantFrom(...times),
    since: fc.constantFrom(...times),
    title: fc.constantFrom('Dark mode', 'New search', 'Ünicode “search”', '50 % \0\ud800 of_all'),
    subjects: fc.subarray(subjects),
    afterReview: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)
const groups: fc.Arbitrary<GroupKey[]> = fc.uniqueArray(
  fc.record({
    project: fc.constantFrom(...projects),
    environment: fc.constantFrom(...environments),
    scope: fc.constantFrom(...scopes),
    state: fc.constantFrom(...states),
  }),
  { selector: (group) => JSON.stringify(group), maxLength: 40 },
)
const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 2 })
const author = optional(fc.integer({ min: 1, max: 3 }))
const oneCase = fc.record({
  groups,
  by: author,
  notBy: author,
  subject: optional(fc.constantFrom(...subjects, ...ranges)),
  withoutSubject: optional(fc.constantFrom(...subjects, ...ranges)),
  afterReview: optional(fc.constant(true as const)),
})
/** Two cases without a common group, so that no change request matches both. */
const cases = fc.tuple(oneCase, oneCase).map(([one, other]) => {
  const taken = new Set(one.groups.map((group) => JSON.stringify(group)))
  return [one, { ...other, groups: other.groups.filter((group) => !taken.has(JSON.stringify(group))) }].map(
    defined,
  ) as ReviewCase[]
})
const searches = fc.record({
  cases,
  createdBy: author,
  subjects: optional(fc.subarray(subjects, { maxLength: 2 })),
  text: optional(
    fc.record({
      part: fc.constantFrom('search', 'ünicode', '% ', 'of_', 'e', '“', 'none of them', "'"),
      id: fc.option(fc.integer({ min: 1, max: 50 })),
    }),
  ),
  createdFrom: optional(fc.constantFrom(...times)),
  createdBefore: optional(fc.constantFrom(...times)),
  order: fc.constantFrom('newest' as const, 'waiting' as const, 'recent' as const),
  limit: fc.integer({ min: 1, max: 8 }),
  bytes: fc.constantFrom(1, 2_000, 1_000_000),
  counts: fc.record({ of: fc.array(cases, { maxLength: 2 }), upTo: fc.integer({ min: 1, max: 30 }) }),
})

function defined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value
}

/** All pages of a search, and the counts of the first one. */
async function readAll(storage: Storage, search: ReviewSearch) {
  const pages: unknown[] = []
  let after: ReviewCursor | null | undefined
  let counts: readonly number[] | undefined
  while (after !== null) {
    const found = await storage.reviews({ ...search, ...(after && { after }) })
    counts ??= found.counts
    pages.push(found.items)
    after = found.next
  }
  return { pages, counts }
}

describe.each(stores.slice(1))('reviews on $name', ({ open }) => {
  it('are those of the storage in memory, for any search, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(samples, fc.array(searches, { minLength: 1, maxLength: 8 }), async (sampled, wanted) => {
        const store = await open()
        const memory = memoryStorage()
        try {
          for (const [index, { scope, since, subjects, afterReview, ...sample }] of sampled.entries()) {
            const stateTimestamps = { [sample.state]: since }
            const request = changeRequest(index + 1, { ...sample, stateTimestamps })
            const first = changeRequest(index + 1, { ...sample, title: 'Before', state: 'Draft' })
            const summary = { ...summarize(request), scope }
            const next = { expectedVersion: 1, before: listedFacts(first), open: false, summary, subjects, afterReview }
            for (const storage of [store.storage, memory]) {
              await storage.commit(write(first, { open: false }))
              await storage.commit(
                write(request, { ...next, ...(afterReview ? {} : { afterReview: undefined as never }) }),
              )
            }
          }
          for (const search of wanted.map(defined) as ReviewSearch[]) {
            expect([search, await readAll(store.storage, search)]).toEqual([search, await readAll(memory, search)])
          }
        } finally {
          await store.close()
        }
      }),
      random(5),
    )
  })
})
