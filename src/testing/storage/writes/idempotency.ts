import type { IdempotencyRecord } from '../../../ports/storage/idempotency'
import type { Storage } from '../../../ports/storage/storage'
import {
  allData,
  brokenEvent,
  creation,
  day,
  findOpen,
  freshId,
  later,
  listedIds,
  moment,
  oddText,
  sampleChangeRequest,
  sampleEvent,
  sampleRecord,
} from '../../samples'
import { rejects, type StorageSuite, together } from '../suite'

const place = { userId: 7, key: 'k' }

/** Returns a write of a new change request, which can lose only because of its record. */
async function writeWith(storage: Storage, idempotency: IdempotencyRecord) {
  const changeRequest = sampleChangeRequest({ id: await freshId(storage), state: 'Approved' })
  return { ...creation(changeRequest, [sampleEvent(idempotency.fingerprint)]), open: false, idempotency }
}

export function describeIdempotency(suite: StorageSuite): void {
  suite.describe('findIdempotencyRecord(key, since)', () => describeReads(suite))
  suite.describe('commit(write) with idempotency', () => {
    describeRefusals(suite)
    describeAge(suite)
    describeEffect(suite)
  })
}

function describeReads({ test, expect }: StorageSuite): void {
  test('returns the record of the user and the key, as it was given', async (storage) => {
    const biggest = Number.MAX_SAFE_INTEGER
    const first = sampleRecord('k', { fingerprint: oddText, changeRequestId: biggest, commentId: biggest })
    const second = sampleRecord('another', { project: 'Ärger', commentId: null })
    for (const record of [first, second]) await storage.commit(await writeWith(storage, record))

    expect(await storage.findIdempotencyRecord(place, moment)).toEqual(first)
    expect(await storage.findIdempotencyRecord({ ...place, key: 'another' }, moment)).toEqual(second)
  })

  test('returns undefined for another user, and for another key', async (storage) => {
    await storage.commit(await writeWith(storage, sampleRecord('k')))

    expect(await storage.findIdempotencyRecord({ ...place, userId: 8 }, moment)).toBe(undefined)
    expect(await storage.findIdempotencyRecord({ ...place, key: 'K' }, moment)).toBe(undefined)
  })

  test('returns undefined for a record from before `since`', async (storage) => {
    await storage.commit(await writeWith(storage, sampleRecord('k')))

    expect(await storage.findIdempotencyRecord(place, later(1))).toBe(undefined)
    expect(await storage.findIdempotencyRecord(place, later(-1))).toEqual(sampleRecord('k'))
  })
}

function describeRefusals({ test, expect }: StorageSuite): void {
  test('returns false when one is stored for the key, and writes nothing', async (storage) => {
    await storage.commit(await writeWith(storage, sampleRecord('k')))
    const before = await listedIds(storage)
    for (const createdAt of [later(-1), moment, later(day)]) {
      const second = await writeWith(storage, sampleRecord('k', { createdAt, fingerprint: 'second' }))
      expect(await storage.commit(second)).toBe(false)
    }

    expect(await listedIds(storage)).toEqual(before)
    expect(await storage.findIdempotencyRecord(place, moment)).toEqual(sampleRecord('k'))
    expect(await allData(storage)).toEqual(['of this call'])
  })

  test("returns false, and does not store it as the author's open one", async (storage) => {
    await storage.commit(await writeWith(storage, sampleRecord('k')))
    const open = { ...(await writeWith(storage, sampleRecord('k'))), open: true }
    const { project, environment, createdBy } = open.changeRequest

    expect(await storage.commit(open)).toBe(false)
    expect(await findOpen(storage, { project, environment, userId: createdBy.id })).toBe(undefined)
    const other = creation(sampleChangeRequest({ id: await freshId(storage) }))
    expect(await storage.commit(other)).toBe(true)
  })

  test('accepts the same key of another user', async (storage) => {
    await storage.commit(await writeWith(storage, sampleRecord('k')))

    expect(await storage.commit(await writeWith(storage, sampleRecord('k', { userId: 8 })))).toBe(true)
  })

  test('returns true to exactly one of 20 that race with one key', async (storage) => {
    const writes = await together(20, (index) => writeWith(storage, sampleRecord('k', { fingerprint: `of ${index}` })))
    const answers = await together(20, (index) => storage.commit(writes[index] as (typeof writes)[number]))
    const winner = answers.indexOf(true)

    expect(answers.filter((answer) => answer).length).toBe(1)
    expect((await storage.findIdempotencyRecord(place, moment))?.fingerprint).toBe(`of ${winner}`)
    expect(await allData(storage)).toEqual([`of ${winner}`])
  })
}

function describeAge({ test, expect }: StorageSuite): void {
  test('replaces one that is older than a day', async (storage) => {
    await storage.commit(await writeWith(storage, sampleRecord('k')))
    const fresh = sampleRecord('k', { createdAt: later(day + 1), fingerprint: 'fresh' })

    expect(await storage.commit(await writeWith(storage, fresh))).toBe(true)
    expect(await storage.findIdempotencyRecord(place, moment)).toEqual(fresh)
  })

  test('replaces it among hundreds that are as old', async (storage) => {
    await together(250, async (index) => {
      const old = sampleRecord(`k-${index}`, { createdAt: later(index) })
      await storage.commit(await writeWith(storage, old))
    })
    const fresh = sampleRecord('k-249', { createdAt: later(2 * day), fingerprint: 'fresh' })

    expect(await storage.commit(await writeWith(storage, fresh))).toBe(true)
    expect(await storage.findIdempotencyRecord({ ...place, key: 'k-249' }, moment)).toEqual(fresh)
  })
}

function describeEffect({ test, expect }: StorageSuite): void {
  test('stores none when the write loses, and leaves its key unused', async (storage) => {
    const late = { ...(await writeWith(storage, sampleRecord('k'))), expectedVersion: 7, version: 8 }

    expect(await storage.commit(late)).toBe(false)
    expect(await storage.findIdempotencyRecord(place, moment)).toBe(undefined)
    expect(await storage.commit(await writeWith(storage, sampleRecord('k')))).toBe(true)
  })

  test('stores none when an event cannot be stored', async (storage) => {
    const half = { ...(await writeWith(storage, sampleRecord('k'))), events: [brokenEvent] }

    expect(await rejects(storage.commit(half))).toBe(true)
    expect(await storage.findIdempotencyRecord(place, moment)).toBe(undefined)
  })
}
