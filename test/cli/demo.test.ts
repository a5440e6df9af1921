import { runDemo } from '../../src/cli/demo/demo'
import { databases } from '../support/databases'
import { expectConsistent } from '../support/verify/expect-consistent'

describe.each(databases)('the demo on $name', ({ open }) => {
  it('stores what verifyStorage finds consistent', async () => {
    const { storage, close } = await open()
    try {
      const stopped = async () => {
        const { checked } = await expectConsistent(storage)
        expect(checked.changeRequests).toBe(4)
      }
      await runDemo({ env: { PORT: '0' }, out() {}, stopped }, storage)
    } finally {
      await close()
    }
  })
})
