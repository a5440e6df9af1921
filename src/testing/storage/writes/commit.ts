import {
  allData,
  allEvents,
  creation,
  findOpen,
  freshId,
  key,
  moment,
  oddText,
  sampleChange,
  sampleChangeRequest,
  sampleEvent,
  stored,
  update,
} from '../../samples'
import type { StorageSuite } from '../suite'

export function describeCommit(suite: StorageSuite): void {
  suite.describe('commit(write)', () => {
    describeContent(suite)
    describeVersions(suite)
    describeOpenKey(suite)
    describeItsEvents(suite)
  })
}

function describeContent({ test, expect }: StorageSuite): void {
  test('stores every field of a change request', async (storage) => {
    const person = { id: 9, username: null, imageUrl: null }
    const attribution = { createdBy: person, createdAt: moment }
    const vote = { ...attribution, digest: 'sha256:0' }
    const changeRequest = {
      ...sampleChangeRequest({ id: await freshId(storage), title: 'Turn it on', state: 'Approved' }),
      minApprovals: 3,
      approvals: [vote],
      rejections: [vote, vote],
      comments: [{ ...attribution, id: 4, text: 'Looks good' }],
      requestedApprovers: [9, 8],
      stateTimestamps: { Draft: moment, 'In review': moment, Approved: moment },
      schedule: { scheduledAt: moment, status: 'suspended', reason: 'a flag is gone' } as const,
    }

    expect(await storage.commit(creation(changeRequest))).toBe(true)
    expect(await findOpen(storage, key)).toEqual({ version: 1, changeRequest })
  })

  test('stores every character of a text', async (storage) => {
    const changes = [sampleChange(1, { [oddText]: oddText, empty: '' })]
    const { changeRequest } = await stored(storage, { title: oddText, changes })

    expect((await findOpen(storage, key))?.changeRequest).toEqual(changeRequest)
  })

  test('stores every digit of a number and every level of a list', async (storage) => {
    const numbers = [0, -1, 0.1, 1e-7, 1e21, 5e-324, 1.7976931348623157e308, 2 ** 53 - 1, -(2 ** 53 - 1)]
    let deep: (typeof numbers)[number] | object = 1
    for (let level = 0; level < 64; level += 1) deep = level % 2 === 0 ? [deep] : { deep }
    const payload = JSON.parse(JSON.stringify({ numbers, deep, nothing: null, yes: true, none: [], bare: {} }))
    const { changeRequest } = await stored(storage, { changes: [sampleChange(2 ** 53 - 1, payload)] })

    expect((await findOpen(storage, key))?.changeRequest).toEqual(changeRequest)
  })

  test('stores 500 changes with long payloads in order', async (storage) => {
    const changes = Array.from({ length: 500 }, (_, index) =>
      sampleChange(index + 1, { text: `${index} ${'語👍'.repeat(500)}` }),
    )
    await stored(storage, { changes })

    expect((await findOpen(storage, key))?.changeRequest.changes).toEqual(changes)
  })
}

function describeVersions({ test, expect }: StorageSuite): void {
  test('returns false when a new one already exists, and writes nothing', async (storage) => {
    const first = await stored(storage)
    const again = creation({ ...first.changeRequest, title: 'again' }, [sampleEvent('again')])

    expect(await storage.commit(again)).toBe(false)
    expect(await findOpen(storage, key)).toEqual(first)
    expect(await allEvents(storage)).toEqual([])
  })

  test('returns false when the change request to update does not exist, and writes nothing', async (storage) => {
    const never = { version: 1, changeRequest: sampleChangeRequest({ id: await freshId(storage) }) }

    expect(await storage.commit(update(never, {}, [sampleEvent('never')]))).toBe(false)
    expect(await findOpen(storage, key)).toBe(undefined)
    expect(await allEvents(storage)).toEqual([])
  })

  test('returns false when the stored version is another, older or newer, and writes nothing', async (storage) => {
    const first = await stored(storage)
    await storage.commit(update(first, { title: 'second' }))
    const second = await findOpen(storage, key)

    for (const version of [1, 3]) {
      const write = update({ ...first, version }, { title: 'other' }, [sampleEvent('other')])
      expect(await storage.commit(write)).toBe(false)
    }
    expect(second?.version).toBe(2)
    expect(await findOpen(storage, key)).toEqual(second)
    expect(await allEvents(storage)).toEqual([])
  })

  test('accepts a version that grows by more than one', async (storage) => {
    const first = await stored(storage)

    expect(await storage.commit({ ...update(first), version: 51 })).toBe(true)
    expect((await findOpen(storage, key))?.version).toBe(51)
    expect(await storage.commit({ ...update({ ...first, version: 51 }), version: 60 })).toBe(true)
    expect((await findOpen(storage, key))?.version).toBe(60)
  })

  test('accepts a first version greater than one', async (storage) => {
    const changeRequest = sampleChangeRequest({ id: await freshId(storage) })

    expect(await storage.commit({ ...creation(changeRequest), version: 50 })).toBe(true)
    expect(await findOpen(storage, key)).toEqual({ version: 50, changeRequest })
  })
}

function describeOpenKey({ test, expect }: StorageSuite): void {
  test('returns false to a second open one for the key, and writes nothing', async (storage) => {
    const first = await stored(storage)
    const second = creation(sampleChangeRequest({ id: await freshId(storage) }), [sampleEvent('second')])

    expect(await storage.commit(second)).toBe(false)
    expect(await findOpen(storage, key)).toEqual(first)
    expect(await allEvents(storage)).toEqual([])
  })

  test('returns false when reopening it next to an open one, and writes nothing', async (storage) => {
    const first = await stored(storage)
    await storage.commit({ ...update(first, { state: 'Scheduled' }), open: false })
    const second = await stored(storage)

    expect(await storage.commit(update({ ...first, version: 2 }, {}, [sampleEvent('first again')]))).toBe(false)
    expect(await findOpen(storage, key)).toEqual(second)
    expect(await allEvents(storage)).toEqual([])
  })

  test('accepts a new open one next to those that are not open', async (storage) => {
    const first = await stored(storage)
    await storage.commit({ ...update(first, { state: 'Applied' }), open: false })

    expect((await stored(storage)).version).toBe(1)
  })

  test('accepts any number that are not open', async (storage) => {
    await stored(storage)
    for (const id of await storage.nextIds('changeRequest', 3)) {
      const closed = { ...creation(sampleChangeRequest({ id, state: 'Cancelled' })), open: false }
      expect(await storage.commit(closed)).toBe(true)
    }
  })
}

function describeItsEvents({ test, expect }: StorageSuite): void {
  test('appends the events in the order given', async (storage) => {
    const changeRequest = sampleChangeRequest({ id: await freshId(storage) })
    const named = Array.from({ length: 12 }, (_, index) => `event ${index}`)
    await storage.commit(
      creation(
        changeRequest,
        named.map((name) => sampleEvent(name)),
      ),
    )

    expect(await allData(storage)).toEqual(named)
    const ids = (await allEvents(storage)).map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((one, other) => one - other))
    expect(new Set(ids).size).toBe(12)
  })

  test('accepts a write without events', async (storage) => {
    const first = await stored(storage)

    expect(await storage.commit(update(first))).toBe(true)
    expect(await storage.eventHead({})).toEqual({ lastId: 0, total: 0, fingerprint: '' })
  })
}
