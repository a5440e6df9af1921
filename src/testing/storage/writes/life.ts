import type { ChangeRequest } from '../../../domain/change-request'
import { storagePortVersion } from '../../../ports/storage/requirements'
import type { SettingsWrite } from '../../../ports/storage/settings'
import type { Storage } from '../../../ports/storage/storage'
import {
  allData,
  creation,
  findOpen,
  freshId,
  key,
  sampleChange,
  sampleChangeRequest,
  sampleEvent,
  stored,
  update,
} from '../../samples'
import { type StorageSuite, together } from '../suite'

export function describeLife(suite: StorageSuite): void {
  suite.describe('portVersion', () => describePortVersion(suite))
  suite.describe('an object that a caller passes to the storage, or receives from it,', () => describeCopies(suite))
  suite.describe('migrate()', () => describeMigrate(suite))
  suite.describe('health()', () => describeHealth(suite))
  suite.describe('close()', () => describeClose(suite))
}

function describePortVersion({ test, expect }: StorageSuite): void {
  test('is the version that this suite describes', async (storage) => {
    expect(storage.portVersion).toBe(storagePortVersion)
  })
}

function describeCopies({ test, expect }: StorageSuite): void {
  test('can be changed after a commit without changing the stored data', async (storage) => {
    const given = sampleChangeRequest({ id: await freshId(storage) })
    await storage.commit(creation(given))
    alter(given)

    expect((await findOpen(storage, key))?.changeRequest).toEqual(sampleChangeRequest({ id: given.id }))
  })

  test('can be changed after a read without changing the stored data', async (storage) => {
    const first = await stored(storage)
    const read = await findOpen(storage, key)
    if (read !== undefined) alter(read.changeRequest)

    expect(await findOpen(storage, key)).toEqual(first)
  })

  test('does not change when the store does', async (storage) => {
    const first = await stored(storage)
    const read = await findOpen(storage, key)
    await storage.commit(update(first, { title: 'new' }))

    expect(read).toEqual(first)
  })

  test('does not change if it is a page of events, whatever is appended and read later', async (storage) => {
    await storage.appendEvents([sampleEvent('a'), sampleEvent('b')])
    const { json } = await storage.eventPage({}, { after: 0 }, 10)
    const before = [...json]
    await storage.appendEvents([sampleEvent('c'), sampleEvent('d')])
    await storage.eventPage({}, { after: 0 }, 10)
    await storage.eventPage({}, { before: Number.MAX_SAFE_INTEGER }, 2)

    expect([...json]).toEqual(before)
  })
}

function alter(changeRequest: ChangeRequest): void {
  Object.assign(changeRequest, { title: 'altered' })
  ;(changeRequest.changes as object[]).push(sampleChange(2))
  Object.assign(changeRequest.createdBy, { username: 'mallory' })
}

async function healthWithoutTime(storage: Storage) {
  const { now: _, ...health } = await storage.health()
  return health
}

function describeMigrate({ test, expect }: StorageSuite): void {
  test('changes nothing the second time', async (storage) => {
    const first = await stored(storage)
    await storage.appendEvents([sampleEvent('a')])
    const before = await healthWithoutTime(storage)
    await storage.migrate()

    expect(await findOpen(storage, key)).toEqual(first)
    expect(await allData(storage)).toEqual(['a'])
    expect(await healthWithoutTime(storage)).toEqual(before)
    expect((await freshId(storage)) > first.changeRequest.id).toBe(true)
  })

  test('can be called concurrently, and while others write', async (storage) => {
    const append = (index: number) => storage.appendEvents([sampleEvent(index)])
    await together(20, (index) => (index % 2 === 0 ? storage.migrate() : append(index)))

    expect((await storage.health()).reachable).toBe(true)
    expect((await storage.eventHead({})).total).toBe(10)
  })
}

function describeHealth({ test, expect }: StorageSuite): void {
  test('reports a reachable store, its version and its durability', async (storage) => {
    const { reachable, schemaVersion, compatible, durability } = await storage.health()

    expect(reachable).toBe(true)
    expect(compatible).toBe(true)
    expect(Number.isSafeInteger(schemaVersion)).toBe(true)
    expect(typeof durability).toBe('string')
  })

  test('reports the id of the newest event of any project', async (storage) => {
    expect((await storage.health()).lastEventId).toBe(0)
    await storage.appendEvents([sampleEvent('a'), sampleEvent('b', null)])

    expect((await storage.health()).lastEventId).toBe((await storage.eventHead({})).lastId)
  })

  test('never throws, not even after close()', async (storage) => {
    await storage.close()

    expect(typeof (await storage.health()).reachable).toBe('boolean')
  })
}

const anySettings: SettingsWrite = {
  ...key,
  settings: { changeRequestsEnabled: true, requiredApprovals: 2 },
  expectedVersion: 0,
  events: [],
}

function describeClose({ test, expect }: StorageSuite): void {
  test('waits for running writes', async (storage) => {
    const [id = 0] = await storage.nextIds('changeRequest', 1)
    const settled: string[] = []
    const writing = [
      storage.commit(creation(sampleChangeRequest({ id }))).then(() => settled.push('commit')),
      storage.appendEvents([sampleEvent('a')]).then(() => settled.push('append')),
      storage.commitSettings(anySettings).then(() => settled.push('settings')),
    ]
    await storage.close()
    settled.push('close')

    await Promise.all(writing)
    expect(settled.at(-1)).toBe('close')
    expect([...settled].sort()).toEqual(['append', 'close', 'commit', 'settings'])
  })

  test('can be called twice', async (storage) => {
    await storage.close()
    await storage.close()
  })
}
