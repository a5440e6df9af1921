import { memoryStorage } from '../../../src/index'
import { databases } from '../../support/databases'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { fillSample } from '../../support/verify/sample'

describe.each(databases)('verifyStorage on $name', ({ open }) => {
  it('finds nothing in change requests of each state', async () => {
    const { storage, close } = await open()
    try {
      await fillSample(storage)
      const { checked, skipped } = await expectConsistent(storage)
      expect(checked).toEqual({ changeRequests: 13, events: 87, consumers: 0 })
      expect(skipped).toEqual({ older: 0, withoutEvent: 0, recorded: 8, codes: [] })
    } finally {
      await close()
    }
  })
})

describe('verifyStorage on a storage without inspect', () => {
  it('compares documents, events and counts through the port, and says what it left out', async () => {
    const storage = memoryStorage()
    await fillSample(storage)
    const { checked, skipped } = await expectConsistent(storage)
    // Drafts are not listed.
    expect(checked).toEqual({ changeRequests: 12, events: 87, consumers: 0 })
    expect(skipped).toEqual({ older: 0, withoutEvent: 0, recorded: 8, codes: ['columns', 'documents', 'schema'] })
  })
})
