import type { KeyedAnswer, Storage } from '../ports/storage'
import {
  allData,
  brokenEvent,
  creation,
  day,
  freshId,
  later,
  listedIds,
  moment,
  oddText,
  sampleAnswer,
  sampleChangeRequest,
  sampleEvent,
} from './samples'
import { rejects, type StorageSuite, together } from './storage-suite'

const place = { userId: 7, key: 'k' }

/** A write of a change request of its own, which nothing but its answers can make lose. */
async function writeWith(storage: Storage, ...answers: readonly KeyedAnswer[]) {
  const changeRequest = sampleChangeRequest({ id: await freshId(storage), state: 'Approved' })
  return { ...creation(changeRequest, [sampleEvent(answers.map(({ body }) => body))]), open: false, answers }
}

export function describeAnswers(suite: StorageSuite): void {
  suite.describe('findAnswer(key, since)', () => describeReads(suite))
  suite.describe('commit(write) with answers', () => {
    describeRefusals(suite)
    describeAge(suite)
    describeEffect(suite)
  })
}

function describeReads({ test, expect }: StorageSuite): void {
  test('answers what was kept for the user and the key, as it was given', async (storage) => {
    const kept = sampleAnswer('k', { status: 204, headers: { ETag: '"9-2"', 'X-Other': 'ü' }, body: oddText })
    await storage.commit(await writeWith(storage, kept, sampleAnswer('another')))

    expect(await storage.findAnswer(place, moment)).toEqual(kept)
    expect(await storage.findAnswer({ ...place, key: 'another' }, moment)).toEqual(sampleAnswer('another'))
  })

  test('answers undefined for another user, and for another key', async (storage) => {
    await storage.commit(await writeWith(storage, sampleAnswer('k')))

    expect(await storage.findAnswer({ ...place, userId: 8 }, moment)).toBe(undefined)
    expect(await storage.findAnswer({ ...place, key: 'K' }, moment)).toBe(undefined)
  })

  test('answers undefined for one that was made before `since`', async (storage) => {
    await storage.commit(await writeWith(storage, sampleAnswer('k')))

    expect(await storage.findAnswer(place, later(1))).toBe(undefined)
    expect(await storage.findAnswer(place, later(-1))).toEqual(sampleAnswer('k'))
  })
}

function describeRefusals({ test, expect }: StorageSuite): void {
  test('answers false when one is kept for a key, and writes nothing', async (storage) => {
    await storage.commit(await writeWith(storage, sampleAnswer('k')))
    const before = await listedIds(storage)
    for (const createdAt of [later(-1), moment, later(day)]) {
      const second = await writeWith(storage, sampleAnswer('fresh'), sampleAnswer('k', { createdAt, body: 'second' }))
      expect(await storage.commit(second)).toBe(false)
    }

    expect(await listedIds(storage)).toEqual(before)
    expect(await storage.findAnswer(place, moment)).toEqual(sampleAnswer('k'))
    expect(await storage.findAnswer({ ...place, key: 'fresh' }, moment)).toBe(undefined)
    expect(await allData(storage)).toEqual([['{"id":1}']])
  })

  test('takes the same key of another user', async (storage) => {
    await storage.commit(await writeWith(storage, sampleAnswer('k')))

    expect(await storage.commit(await writeWith(storage, sampleAnswer('k', { userId: 8 })))).toBe(true)
  })

  test('answers true to exactly one of 20 that race with one key', async (storage) => {
    const writes = await together(20, (index) => writeWith(storage, sampleAnswer('k', { body: `by ${index}` })))
    const answers = await together(20, (index) => storage.commit(writes[index] as (typeof writes)[number]))
    const winner = answers.indexOf(true)

    expect(answers.filter((answer) => answer).length).toBe(1)
    expect((await storage.findAnswer(place, moment))?.body).toBe(`by ${winner}`)
    expect(await allData(storage)).toEqual([[`by ${winner}`]])
  })
}

function describeAge({ test, expect }: StorageSuite): void {
  test('puts a new one in the place of one that is older than a day', async (storage) => {
    await storage.commit(await writeWith(storage, sampleAnswer('k')))
    const fresh = sampleAnswer('k', { createdAt: later(day + 1), body: 'fresh' })

    expect(await storage.commit(await writeWith(storage, fresh))).toBe(true)
    expect(await storage.findAnswer(place, moment)).toEqual(fresh)
  })

  test('puts it there also among hundreds that are as old', async (storage) => {
    const old = Array.from({ length: 250 }, (_, index) => sampleAnswer(`k-${index}`, { createdAt: later(index) }))
    await storage.commit(await writeWith(storage, ...old))
    const fresh = sampleAnswer('k-249', { createdAt: later(2 * day), body: 'fresh' })

    expect(await storage.commit(await writeWith(storage, fresh))).toBe(true)
    expect(await storage.findAnswer({ ...place, key: 'k-249' }, moment)).toEqual(fresh)
  })
}

function describeEffect({ test, expect }: StorageSuite): void {
  test('keeps none when the write loses, and their keys stay free', async (storage) => {
    const late = { ...(await writeWith(storage, sampleAnswer('k'))), expectedVersion: 7, version: 8 }

    expect(await storage.commit(late)).toBe(false)
    expect(await storage.findAnswer(place, moment)).toBe(undefined)
    expect(await storage.commit(await writeWith(storage, sampleAnswer('k')))).toBe(true)
  })

  test('keeps none when an event cannot be stored', async (storage) => {
    const half = { ...(await writeWith(storage, sampleAnswer('k'))), events: [brokenEvent] }

    expect(await rejects(storage.commit(half))).toBe(true)
    expect(await storage.findAnswer(place, moment)).toBe(undefined)
  })
}
