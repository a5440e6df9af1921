import type { Storage } from '../../../ports/storage/storage'
import { creation, key, sampleChangeRequest, sampleEvent } from '../../samples'
import type { StorageSuite } from '../suite'

/** Errors that do not come from a store. */
const foreignErrors = [
  new Error('something else'),
  new TypeError('cannot read properties of undefined'),
  Object.assign(new Error('elsewhere'), { code: 'NO_SUCH_CODE' }),
  'a text',
  7,
  null,
  undefined,
  {},
  { code: 7, message: 7 },
  { code: null, message: null },
]

const calls: readonly (readonly [string, (storage: Storage) => Promise<unknown>])[] = [
  ['find', (storage) => storage.find(key, 1)],
  ['loadProposal', (storage) => storage.loadProposal(key, 1)],
  ['findSettings', (storage) => storage.findSettings(key)],
  ['eventHead', (storage) => storage.eventHead({})],
  ['eventPage', (storage) => storage.eventPage({}, { after: 0 }, 10)],
  ['nextIds', (storage) => storage.nextIds('change', 1)],
  ['commit', (storage) => storage.commit(creation(sampleChangeRequest({ id: 1 })))],
  ['appendEvents', (storage) => storage.appendEvents([sampleEvent('a')])],
]

export function describeFailures({ describe, test, expect }: StorageSuite): void {
  describe('failureOf(error)', () => {
    test('returns undefined for an unknown error, and never throws', async (storage) => {
      for (const error of foreignErrors) expect([error, storage.failureOf(error)]).toEqual([error, undefined])
    })

    test('reports an unreachable store, if the store can be stopped', async (storage, open) => {
      if (open.breakConnection === undefined) return
      await open.breakConnection()

      for (const [name, call] of calls) {
        const failure = await call(storage).then(
          () => 'none',
          (error) => storage.failureOf(error),
        )
        expect([name, failure]).toEqual([name, 'unreachable'])
      }
    })
  })

  describe('health()', () => {
    test('reports an unreachable store, if the store can be stopped', async (storage, open) => {
      if (open.breakConnection === undefined) return
      await open.breakConnection()

      expect((await storage.health()).reachable).toBe(false)
    })
  })
}
