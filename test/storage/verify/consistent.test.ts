import { memoryStorage } from '../../../src/index'
import { databases } from '../../support/databases'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { fillSample } from '../../support/verify/sample'

describe.each(databases)('verifyStorage on $name', ({ open }) => {
  it('finds nothing in change requests of each state', async () => {
    const { storage, close } = await open()
    try {
      const sample = await fillSample(storage)
      const { checked, skipped } = await expectConsistent(storage)
      console.log(sample, checked, skipped)
    } finally {
      await close()
    }
  })
})

describe('verifyStorage on a storage without inspect', () => {
  it('finds nothing', async () => {
    const storage = memoryStorage()
    await fillSample(storage)
    const result = await expectConsistent(storage)
    console.log(result)
  })
})
