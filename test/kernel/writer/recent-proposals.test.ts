import { RecentProposals } from '../../../src/kernel/writer/recent-proposals'
import type { Storage } from '../../../src/ports/storage/storage'
import { memoryStorage } from '../../../src/storage/memory'
import { creation, key, sampleChangeRequest, update } from '../../../src/testing/samples'

/** A storage that returns the document of a proposal, as the Knex storage does. With `areAllocated` it allocates ids ahead. */
function openStorage(areAllocated = true) {
  const inner = memoryStorage()
  let loads = 0
  const storage: Storage = {
    ...inner,
    async loadProposal(...args) {
      loads += 1
      return inner.loadProposal(...args)
    },
    async commit(write) {
      if (!(await inner.commit(write))) return false
      const changeIds = areAllocated ? await inner.nextIds('change', 1) : [1]
      return { document: JSON.stringify(write.changeRequest), changeIds, areAllocated }
    },
  }
  return { storage, loads: () => loads }
}

/** Proposes for the user; returns whether the content was remembered. */
async function propose(proposals: RecentProposals, userId: number, title = '') {
  const loaded = await proposals.load({ ...key, userId }, 1)
  const id = loaded.ids.changeRequest
  const write =
    loaded.current === undefined
      ? creation(sampleChangeRequest({ id, userId, title }))
      : update(loaded.current, { title })
  expect(await loaded.commit?.(write)).toBe(true)
  return loaded.isRemembered === true
}

describe('RecentProposals', () => {
  it('remembers what it committed, until another write', async () => {
    const { storage, loads } = openStorage()
    const proposals = new RecentProposals(storage)
    expect(await propose(proposals, 1)).toBe(false)
    expect(await propose(proposals, 1)).toBe(true)
    expect(await propose(proposals, 2)).toBe(false)
    expect(loads()).toBe(2)
    proposals.forget(sampleChangeRequest({ userId: 1 }))
    expect([await propose(proposals, 1), await propose(proposals, 2)]).toEqual([false, true])
  })

  it('reads if more ids are needed than it has', async () => {
    const proposals = new RecentProposals(openStorage().storage)
    await propose(proposals, 1)
    expect((await proposals.load({ ...key, userId: 1 }, 2)).isRemembered).toBeUndefined()
  })

  it('remembers content once', async () => {
    const proposals = new RecentProposals(openStorage().storage)
    await propose(proposals, 1)
    const loads = [await proposals.load({ ...key, userId: 1 }, 1), await proposals.load({ ...key, userId: 1 }, 1)]
    expect(loads.map(({ isRemembered }) => isRemembered)).toEqual([true, undefined])
  })

  it('remembers only the last one while its ids are not allocated', async () => {
    const { storage, loads } = openStorage(false)
    const proposals = new RecentProposals(storage)
    expect([await propose(proposals, 1), await propose(proposals, 2)]).toEqual([false, false])
    expect([await propose(proposals, 2), await propose(proposals, 1)]).toEqual([true, false])
    expect(loads()).toBe(3)
  })

  it('forgets ids that are not allocated when it loads: the load allocates them', async () => {
    const proposals = new RecentProposals(openStorage(false).storage)
    await propose(proposals, 1)
    await proposals.load({ ...key, userId: 2 }, 1)
    expect((await proposals.load({ ...key, userId: 1 }, 1)).isRemembered).toBeUndefined()
  })

  it('remembers nothing if the storage returns no document', async () => {
    const proposals = new RecentProposals(memoryStorage())
    expect([await propose(proposals, 1), await propose(proposals, 1)]).toEqual([false, false])
  })

  it('remembers the last 1,000', async () => {
    const proposals = new RecentProposals(openStorage().storage)
    for (let userId = 1; userId <= 1_001; userId += 1) await propose(proposals, userId)
    expect([await propose(proposals, 1), await propose(proposals, 1_001)]).toEqual([false, true])
  })

  it('remembers at most 2 million characters', async () => {
    const proposals = new RecentProposals(openStorage().storage)
    const title = 'x'.repeat(500_000)
    for (const userId of [1, 2, 3, 4, 5]) await propose(proposals, userId, title)
    expect([await propose(proposals, 1, title), await propose(proposals, 5, title)]).toEqual([false, true])
  })
})
