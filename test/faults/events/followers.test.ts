import { type OpenDatabase, postgres } from '../../support/databases'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { Gate } from '../support/gate'
import { until } from '../support/server'
import { many } from './events'

describe('a follower of the log on Postgres, while a write is paused between getting its id and its commit', () => {
  let database: OpenDatabase
  let gate: Gate

  beforeEach(async () => {
    database = await postgres.open()
    gate = await Gate.build(database, 'slow')
  })

  afterEach(async () => {
    await gate.open()
    await expectConsistent(database.storage)
    await database.close()
  })

  it('receives no later event before that one, and then both in the order of their ids', async () => {
    const { knex, storage } = database
    await gate.close()
    const slow = storage.appendEvents(many('slow', 1, 1))
    await until(async () => (await gate.waiting()) === 1)
    // A storage writes one batch at a time, so the other write comes from a transaction of its own.
    const other = await knex.transaction()
    let done = false
    const quick = storage
      .within(other)
      .appendEvents(many('quick', 2, 1))
      .then(() => other.commit())
      .finally(() => {
        done = true
      })
    await until(async () => done || (await gate.waiting()) === 2)
    expect(await seen()).toEqual([])

    await gate.open()
    await Promise.all([slow, quick])
    expect(await seen()).toEqual([1, 2])
  })

  /** The `data.n` of the events that a follower reads from the oldest event on. */
  async function seen(): Promise<number[]> {
    const { json } = await database.storage.eventPage({}, { after: 0 }, 100)
    const events: { data: { n: number } }[] = JSON.parse(`[${Buffer.from(json)}]`)
    return events.map(({ data }) => data.n)
  }
})
