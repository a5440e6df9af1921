import { randomBytes } from 'node:crypto'
import { sampleChange, storedClosed } from '../../src/testing/samples'
import { type OpenDatabase, openAgain, postgres } from '../support/databases'

const total = 30

describe('a page of a list on Postgres', () => {
  let opened: OpenDatabase

  beforeAll(async () => {
    opened = await postgres.open()
    const { storage, knex, close } = openAgain(opened.place, { pool: { min: 0, max: 1 } })
    for (let written = 0; written < total; written += 1) {
      // Postgres stores large values that cannot be compressed outside of the row, in blocks that it counts.
      await storedClosed(storage, { changes: [sampleChange(1, randomBytes(100_000).toString('base64'))] })
    }
    // Otherwise the blocks of these writes could be counted later, as those of a read.
    await knex.raw('select pg_stat_force_next_flush()')
    await close()
  })
  afterAll(() => opened.close())

  /** The number of blocks of large values that were read. */
  async function blocksOf(read: (storage: OpenDatabase['storage']) => Promise<unknown>): Promise<number> {
    const counted = async () => {
      const { rows } = await opened.knex.raw(
        `select toast_blks_read + toast_blks_hit as blocks from pg_statio_user_tables
         where relid = 'ffcr_change_requests'::regclass`,
      )
      return Number(rows[0].blocks)
    }
    const before = await counted()
    const { storage, knex, close } = openAgain(opened.place, { pool: { min: 0, max: 1 } })
    await read(storage)
    await knex.raw('select pg_stat_force_next_flush()')
    await close()
    return (await counted()) - before
  }

  it('reads only documents of the page, and none for summaries', async () => {
    const one = await blocksOf((storage) => storage.list({ viewer: null }, { limit: total, bytes: 1 }))
    const all = await blocksOf((storage) => storage.list({ viewer: null }, { limit: total, bytes: 2 ** 30 }))
    const none = await blocksOf((storage) => storage.summaries({ viewer: null }, { limit: total, bytes: 2 ** 30 }))
    expect([one > 10, none]).toEqual([true, 0])
    expect(all).toBeGreaterThan(one * (total - 5))
  })
})
