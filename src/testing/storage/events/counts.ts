import { type EventScope, eventFingerprint } from '../../../ports/storage/events'
import type { Storage } from '../../../ports/storage/storage'
import { allEvents, eventsOf } from '../../samples'
import { type StorageSuite, together } from '../suite'
import { expected, fill, randomOf, randomQuestion } from './model'
import { appended, type EventFacts, event, newest, paged } from './samples'

const events = 120
const questions = 60
const many = 20

export function describeEventCounts(suite: StorageSuite): void {
  describeProperty(suite)
  suite.describe('eventHead({ projects, features })', () => describeScopes(suite))
  suite.describe('recountEvents()', () => {
    describeRecount(suite)
    describeRemoved(suite)
  })
}

function describeProperty({ test, expect }: StorageSuite): void {
  test('eventPage returns the same as a plain list of the events, for random filters', async (storage) => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const random = randomOf(seed)
    const model = await fill(storage, random, events)
    for (let number = 0; number < questions; number += 1) {
      const question = randomQuestion(random, model)
      const { filter, cursor, limit } = question
      // Puts the seed into the message of a failure.
      expect([seed, question, await paged(storage, filter, cursor, limit)]).toEqual([
        seed,
        question,
        expected(model, question),
      ])
    }
  })
}

/** Scopes, each with the positions of its events. */
const scopes: readonly (readonly [EventScope, readonly number[]])[] = [
  [{ projects: ['shop'] }, [0, 1, 4]],
  [{ projects: ['shop', 'blog'] }, [0, 1, 2, 4]],
  [{ projects: ['shop', 'shop', 'none'] }, [0, 1, 4]],
  [{ projects: ['none'] }, []],
  [{ projects: [] }, []],
  [{ features: ['checkout'] }, [0, 2, 3]],
  [{ features: ['checkout', 'basket', 'checkout'] }, [0, 1, 2, 3]],
  [{ features: ['none'] }, []],
  [{ features: [] }, []],
  [{ features: ['checkout'], projects: ['shop'] }, [0]],
  [{ features: ['checkout', 'basket'], projects: ['shop', 'blog'] }, [0, 1, 2]],
  [{ features: ['checkout'], projects: [] }, []],
  [{ features: [], projects: ['shop'] }, []],
  [{ features: ['basket'], projects: ['blog'] }, []],
  [{}, [0, 1, 2, 3, 4, 5]],
]

const mixed: readonly EventFacts[] = [
  { project: 'shop', featureName: 'checkout', createdByUserId: 1 },
  { project: 'shop', featureName: 'basket', createdByUserId: 2 },
  { project: 'blog', featureName: 'checkout', createdByUserId: -42 },
  { featureName: 'checkout', createdByUserId: 1 },
  { project: 'shop' },
  {},
]

function describeScopes({ test, expect }: StorageSuite): void {
  test('returns the newest id, its fingerprint and the count of projects, of flags, and of flags in projects', async (storage) => {
    const rows = mixed.map(event)
    const ids = await appended(storage, rows)
    for (const [scope, positions] of scopes) {
      const newest = positions.at(-1) ?? -1
      const fingerprint = eventFingerprint(rows[newest]?.json ?? '')
      const head = {
        lastId: ids[newest] ?? 0,
        total: positions.length,
        fingerprint: newest < 0 ? '' : fingerprint,
      }
      expect([scope, await storage.eventHead(scope)]).toEqual([scope, head])
    }
  })

  test(`counts what ${many} concurrent writers append`, async (storage) => {
    await together(many, (index) =>
      storage.appendEvents([mixed[index % 6], mixed[(index + 1) % 6]].map((one) => event(one))),
    )
    expect((await storage.eventHead({})).total).toBe(2 * many)

    for (const [scope] of scopes)
      expect([scope, await storage.eventHead(scope)]).toEqual([scope, await counted(storage, scope)])
  })
}

/** Computes the head from the events. */
async function counted(storage: Storage, scope: EventScope) {
  const { count, lastId } = await storage.eventPage(scope, newest, 10_000)
  const first = await storage.eventPage(scope, newest, 1)
  const id = lastId === 0 ? 0 : (eventsOf(first)[0]?.id ?? 0)
  const json = Buffer.from(first.json)
    .toString()
    .replace(/^\{"id":\d+,/, '{')
  return { lastId: id, total: count, fingerprint: id === 0 ? '' : eventFingerprint(json) }
}

function describeRecount({ test, expect }: StorageSuite): void {
  test('changes nothing when no event was removed', async (storage) => {
    await appended(storage, mixed.map(event))
    const before = await logged(storage)

    await storage.recountEvents?.()
    expect(await logged(storage)).toEqual(before)
    expect((await logged(storage)).heads.length).toBe(scopes.length)
  })

  test('leaves an empty log empty, and counts the next event once', async (storage) => {
    await storage.recountEvents?.()
    expect(await storage.eventHead({})).toEqual({ lastId: 0, total: 0, fingerprint: '' })

    const [id] = await appended(storage, [event({ project: 'shop', featureName: 'checkout' })])
    for (const scope of [{}, { projects: ['shop'] }, { features: ['checkout'] }]) {
      expect(await storage.eventHead(scope)).toEqual(await counted(storage, scope))
      expect((await storage.eventHead(scope)).lastId).toBe(id)
    }
  })

  test('misses no event that is written meanwhile', async (storage) => {
    await appended(storage, mixed.map(event))
    await Promise.all([
      ...Array.from({ length: many }, (_, index) => storage.appendEvents([event(mixed[index % 6])])),
      storage.recountEvents?.(),
      storage.recountEvents?.(),
    ])

    expect((await allEvents(storage)).length).toBe(mixed.length + many)
    for (const [scope] of scopes)
      expect([scope, await storage.eventHead(scope)]).toEqual([scope, await counted(storage, scope)])
    expect((await storage.eventCreators()).map(({ id }) => id)).toEqual([-42, 1, 2])
  })
}

function describeRemoved({ test, expect }: StorageSuite): void {
  test('matches the log after its oldest events were removed, if the store allows it', async (storage, open) => {
    if (open.removeEvents === undefined) return
    const [, , third = 0] = await appended(storage, mixed.map(event))
    await open.removeEvents(third)
    await storage.recountEvents?.()

    for (const [scope] of scopes) {
      expect([scope, await storage.eventHead(scope)]).toEqual([scope, await counted(storage, scope)])
    }
    expect((await storage.eventHead({})).total).toBe(3)
    expect((await storage.eventCreators()).map(({ id }) => id)).toEqual([1])
    expect(await storage.eventCreators(['shop', 'blog'])).toEqual([])
    expect(await storage.projects()).toEqual(['shop'])
  })

  test('returns nothing after all events were removed, if the store allows it, and gives the next event a new id', async (storage, open) => {
    if (open.removeEvents === undefined) return
    const ids = await appended(storage, mixed.map(event))
    const last = ids.at(-1) ?? 0
    await open.removeEvents(last)
    await storage.recountEvents?.()

    for (const [scope] of scopes) expect([scope, (await storage.eventHead(scope)).total]).toEqual([scope, 0])
    expect(await storage.eventHead({})).toEqual({ lastId: last, total: 0, fingerprint: '' })
    expect(await storage.eventHead({ projects: ['shop'] })).toEqual({ lastId: 0, total: 0, fingerprint: '' })
    expect(await storage.eventCreators()).toEqual([])
    const [next = 0] = await appended(storage, [event({ project: 'shop' })])
    expect(next > last).toBe(true)
    expect(await storage.eventHead({})).toEqual(await counted(storage, {}))
    expect((await storage.eventHead({})).lastId).toBe(next)
  })
}

/** Reads all data that is derived from events. */
async function logged(storage: Storage) {
  const heads: unknown[] = []
  for (const [scope] of scopes) heads.push(await storage.eventHead(scope))
  return { heads, creators: await storage.eventCreators(), shop: await storage.eventCreators(['shop']) }
}
