import { constants } from 'node:os'
import { describeStorage } from 'express-change-requests/testing'
import { openStore } from './open-store'

describeStorage({ describe, it, expect }, 'LMDB', openStore)

describe('failureOf(error) on LMDB', () => {
  it.each([
    ['MDB_MAP_FULL', -30792, 'full'],
    ['MDB_READERS_FULL', -30790, 'busy'],
    ['MDB_BAD_VALSIZE', -30781, 'refused-data'],
    ['ENOSPC', constants.errno.ENOSPC, 'full'],
    ['EROFS', constants.errno.EROFS, 'read-only'],
    ['EACCES', constants.errno.EACCES, 'not-allowed'],
    ['MDB_CORRUPTED', -30796, undefined],
  ])('takes %s, which is %i, for %s', async (name, code, failure) => {
    const { storage, close } = await openStore()
    expect(storage.failureOf(Object.assign(new Error(name), { code }))).toBe(failure)
    await close()
  })
})
