import type { Storage } from '../../src/ports/storage'
import { openAgain, postgres, sqlite } from '../support/databases'
import { afterNoon, answer, changeRequest, event, eventTypes, idsOf, noon, stores, write } from './review-fixtures'

const day = 24 * 60 * 60 * 1000
const all = { offset: 0, limit: 100 }

describe.each(stores)('the kept answers of the $name storage', ({ open }) => {
  let storage: Storage
  let close: () => Promise<void>

  beforeEach(async () => {
    ;({ storage, close } = await open())
  })
  afterEach(() => close())

  const commit = (id: number, ...answers: ReturnType<typeof answer>[]) =>
    storage.commit(write(changeRequest(id), { answers, events: [event(`event-${id}`)] }))

  it('are found as they were given, by user and key', async () => {
    const kept = answer('k-1', { headers: { ETag: '"1-1"', 'X-Ü': 'ü' }, body: '{"text":"\\u0000 Tür"}', status: 204 })
    expect(await commit(1, kept, answer('k-2'))).toBe(true)
    expect(await storage.findAnswer({ userId: 1, key: 'k-1' }, noon)).toEqual(kept)
    expect(await storage.findAnswer({ userId: 1, key: 'k-2' }, noon)).toEqual(answer('k-2'))
    expect(await storage.findAnswer({ userId: 2, key: 'k-1' }, noon)).toBeUndefined()
    expect(await storage.findAnswer({ userId: 1, key: 'K-1' }, noon)).toBeUndefined()
  })

  it('are not found when they were made before the moment asked for', async () => {
    await commit(1, answer('k'))
    expect(await storage.findAnswer({ userId: 1, key: 'k' }, afterNoon(1))).toBeUndefined()
    expect(await storage.findAnswer({ userId: 1, key: 'k' }, afterNoon(-1))).toBeDefined()
  })

  it('let no second write happen for their key during a day', async () => {
    await commit(1, answer('k'))
    for (const createdAt of [afterNoon(-1), noon, afterNoon(day)]) {
      expect(await commit(2, answer('k', { createdAt, body: 'other' }))).toBe(false)
    }
    expect(await commit(2, answer('fresh'), answer('k'))).toBe(false)
    expect(await storage.find({ project: 'shop' }, 2)).toBeUndefined()
    expect(await storage.findAnswer({ userId: 1, key: 'fresh' }, noon)).toBeUndefined()
    expect(await storage.findAnswer({ userId: 1, key: 'k' }, noon)).toEqual(answer('k'))
    expect(await eventTypes(storage)).toEqual(['event-1'])
    expect(await commit(2, answer('k', { userId: 2 }))).toBe(true)
  })

  it('give way after a day', async () => {
    await commit(1, answer('k'))
    const later = answer('k', { createdAt: afterNoon(day + 1), body: 'later' })
    expect(await commit(2, later)).toBe(true)
    expect(await storage.findAnswer({ userId: 1, key: 'k' }, noon)).toEqual(later)
  })

  it('give way after a day also among hundreds that are as old', async () => {
    const old = Array.from({ length: 250 }, (_, index) => answer(`k-${index}`, { createdAt: afterNoon(index) }))
    await commit(1, ...old)
    expect(await commit(2, answer('k-249', { createdAt: afterNoon(2 * day), body: 'later' }))).toBe(true)
    expect((await storage.findAnswer({ userId: 1, key: 'k-249' }, noon))?.body).toBe('later')
  })

  it('are not kept for a write that loses', async () => {
    await commit(1)
    const lost = write(changeRequest(1), { expectedVersion: 7, answers: [answer('k')] })
    expect(await storage.commit(lost)).toBe(false)
    expect(await storage.findAnswer({ userId: 1, key: 'k' }, noon)).toBeUndefined()
    expect(await commit(2, answer('k'))).toBe(true)
  })

  it('refuse a write that uses a key twice', async () => {
    expect(await commit(1, answer('k'), answer('k'))).toBe(false)
    expect(await storage.findAnswer({ userId: 1, key: 'k' }, noon)).toBeUndefined()
  })

  it('go to exactly one of 20 writes with the same key, and stand in nobody else’s way', async () => {
    const [outcomes, others] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, (_, index) => commit(index + 1, answer('k', { body: `${index + 1}` })))),
      Promise.all(Array.from({ length: 20 }, (_, index) => commit(index + 101, answer(`other-${index}`)))),
    ])
    expect(outcomes.filter((won) => won)).toHaveLength(1)
    expect(others.every((won) => won)).toBe(true)
    const winner = outcomes.indexOf(true) + 1
    expect((await storage.findAnswer({ userId: 1, key: 'k' }, noon))?.body).toBe(`${winner}`)
    const ids = await idsOf(storage.list({ viewer: null }, all))
    expect(ids.filter((id) => id < 100)).toEqual([winner])
    expect((await eventTypes(storage)).filter((type) => type.length < 'event-100'.length)).toEqual([`event-${winner}`])
  })
})

describe.each([sqlite, postgres])('the kept answers of two storages on one $name', (database) => {
  it('go to exactly one of 20 writes with the same key, in every round', async () => {
    const one = await database.open()
    const other = openAgain(one.place)
    try {
      for (let round = 1; round <= 10; round += 1) {
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, index) => {
            const { storage } = index % 2 === 0 ? one : other
            return storage.commit(
              write(changeRequest(round * 100 + index), {
                answers: [answer(`round-${round}`, { body: `${index}` })],
                events: [event(`round-${round}-${index}`)],
              }),
            )
          }),
        )
        expect(outcomes.filter((won) => won)).toHaveLength(1)
        const winner = outcomes.indexOf(true)
        expect((await other.storage.findAnswer({ userId: 1, key: `round-${round}` }, noon))?.body).toBe(`${winner}`)
        expect((await eventTypes(one.storage)).slice(round - 1)).toEqual([`round-${round}-${winner}`])
      }
    } finally {
      await other.close()
      await one.close()
    }
  })

  it('go to one of several writes that find an answer expired', async () => {
    const one = await database.open()
    const other = openAgain(one.place)
    try {
      await one.storage.commit(write(changeRequest(1), { answers: [answer('k')] }))
      const createdAt = afterNoon(2 * day)
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? one : other).storage.commit(
            write(changeRequest(10 + index), { answers: [answer('k', { createdAt, body: `${index}` })] }),
          ),
        ),
      )
      expect(outcomes.filter((won) => won)).toHaveLength(1)
      expect((await one.storage.findAnswer({ userId: 1, key: 'k' }, noon))?.body).toBe(`${outcomes.indexOf(true)}`)
    } finally {
      await other.close()
      await one.close()
    }
  })

  it('leave the table when they are older than a day, along with later writes', async () => {
    const { knex, storage, place, close } = await database.open()
    try {
      const table = () => knex(`${place.storage.tablePrefix ?? 'ffcr_'}answers`)
      await storage.commit(write(changeRequest(1), { answers: [answer('old-1'), answer('old-2')] }))
      await storage.commit(write(changeRequest(2), { answers: [answer('young', { createdAt: afterNoon(2) })] }))
      await storage.commit(write(changeRequest(3), { answers: [answer('new', { createdAt: afterNoon(day + 1) })] }))
      expect(await table().orderBy('created_at').pluck('key')).toEqual(['young', 'new'])
    } finally {
      await close()
    }
  })
})
