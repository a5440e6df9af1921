import type { Storage } from '../../../ports/storage/storage'
import { allData, creation, findOpen, freshId, key, sampleChangeRequest, sampleEvent } from '../../samples'
import type { StorageSuite } from '../suite'

/** Transactions are optional. A storage without them passes these tests. */
export function describeTransactions({ describe, test, expect }: StorageSuite): void {
  test('has within(transaction) and either transaction(work) or transactionSync(work), or none of them', async (storage) => {
    expect([typeof storage.transaction, typeof storage.transactionSync].sort()).toEqual(
      [typeof storage.within, 'undefined'].sort(),
    )
  })

  describe('transaction(work), if the storage has it', () => {
    test('returns the result of work, and commits its writes', async (storage) => {
      if (storage.transaction === undefined) return
      const { changeRequest, write } = await newWrite(storage)
      const result = await storage.transaction(async (_, inside) => {
        await inside.appendEvents([sampleEvent('appended')])
        return inside.commit(write)
      })

      expect(result).toBe(true)
      expect(await findOpen(storage, key)).toEqual({ version: 1, changeRequest })
      expect(await allData(storage)).toEqual(['appended', 'committed'])
    })

    test('rolls back when work throws, and rejects with the same error', async (storage) => {
      if (storage.transaction === undefined) return
      const { write } = await newWrite(storage)
      const thrown = new Error('the gateway failed')
      const running = storage.transaction(async (_, inside) => {
        await inside.commit(write)
        await inside.appendEvents([sampleEvent('appended')])
        throw thrown
      })

      expect((await running.catch((error: unknown) => error)) === thrown).toBe(true)
      expect(await findOpen(storage, key)).toBe(undefined)
      expect(await allData(storage)).toEqual([])
      expect(await storage.commit(write)).toBe(true)
    })

    test('lets a write lose a race inside it as outside', async (storage) => {
      if (storage.transaction === undefined) return
      const { write } = await newWrite(storage)
      await storage.commit(write)

      expect(await storage.transaction((_, inside) => inside.commit(write))).toBe(false)
      expect(await allData(storage)).toEqual(['committed'])
    })
  })

  describe('transactionSync(work), if the storage has it', () => {
    test('commits the write that work returns', async (storage) => {
      if (storage.transactionSync === undefined) return
      const { changeRequest, write } = await newWrite(storage)

      expect(await storage.transactionSync(() => write)).toBe(true)
      expect(await findOpen(storage, key)).toEqual({ version: 1, changeRequest })
      expect(await allData(storage)).toEqual(['committed'])
    })

    test('rejects with the error of work, and stores nothing', async (storage) => {
      if (storage.transactionSync === undefined) return
      const thrown = new Error('the gateway failed')
      const running = storage.transactionSync(() => {
        throw thrown
      })

      expect((await running.catch((error: unknown) => error)) === thrown).toBe(true)
      expect(await allData(storage)).toEqual([])
    })

    test('returns false for a write that lost a race, and calls work once', async (storage) => {
      if (storage.transactionSync === undefined) return
      const { write } = await newWrite(storage)
      await storage.commit(write)
      let calls = 0
      const work = () => {
        calls += 1
        return write
      }

      expect(await storage.transactionSync(work)).toBe(false)
      expect([calls, await allData(storage)]).toEqual([1, ['committed']])
    })
  })

  describe('within(transaction), if the storage has it', () => {
    test('commits or rolls back with the transaction', async (storage) => {
      if (storage.transaction === undefined) return
      const { write } = await newWrite(storage)
      const fail = storage.transaction(async (transaction) => {
        await storage.within?.(transaction).commit(write)
        throw new Error('the host app failed')
      })
      await fail.catch(() => undefined)
      expect(await findOpen(storage, key)).toBe(undefined)

      await storage.transaction(async (transaction) => storage.within?.(transaction).commit(write))
      expect(await allData(storage)).toEqual(['committed'])
    })
  })
}

async function newWrite(storage: Storage) {
  const changeRequest = sampleChangeRequest({ id: await freshId(storage) })
  return { changeRequest, write: creation(changeRequest, [sampleEvent('committed')]) }
}
