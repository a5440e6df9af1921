import { randomBytes } from 'node:crypto'
import supertest from 'supertest'
import { enable, people, startApp } from '../support/app'
import { databases, type OpenDatabase, openAgain, postgres } from '../support/databases'
import { afterNoon, changeRequest, event, eventTypes, noon, record, write } from './fixtures'

const day = 24 * 60 * 60 * 1000

describe.each(databases)('the idempotency keys of two storages on one $name', (database) => {
  it('are used by exactly one of 20 writes with the same key, in every round', async () => {
    const one = await database.open()
    const other = openAgain(one.place)
    try {
      for (let round = 1; round <= 3; round += 1) {
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, index) => {
            const { storage } = index % 2 === 0 ? one : other
            return storage.commit(
              write(changeRequest(round * 100 + index), {
                idempotency: record(`round-${round}`, { fingerprint: `${index}` }),
                events: [event(`round-${round}-${index}`)],
              }),
            )
          }),
        )
        expect(outcomes.filter((won) => won)).toHaveLength(1)
        const winner = outcomes.indexOf(true)
        expect(
          (await other.storage.findIdempotencyRecord({ userId: 1, key: `round-${round}` }, noon))?.fingerprint,
        ).toBe(`${winner}`)
        expect((await eventTypes(one.storage)).slice(round - 1)).toEqual([`round-${round}-${winner}`])
      }
    } finally {
      await other.close()
      await one.close()
    }
  })

  it('are deleted by later writes when they are older than a day', async () => {
    const { knex, storage, place, close } = await database.open()
    try {
      const table = () => knex(`${place.storage.tablePrefix ?? 'ffcr_'}idempotency`)
      await storage.commit(write(changeRequest(1), { idempotency: record('old-1') }))
      await storage.commit(write(changeRequest(4), { idempotency: record('old-2') }))
      await storage.commit(write(changeRequest(2), { idempotency: record('young', { createdAt: afterNoon(2) }) }))
      await storage.commit(write(changeRequest(3), { idempotency: record('new', { createdAt: afterNoon(day + 1) }) }))
      expect(await table().orderBy('created_at').pluck('key')).toEqual(['young', 'new'])
    } finally {
      await close()
    }
  })
})

/** Fault T49: the size of an idempotency record must not depend on the change request. */
describe('calls with new keys on a change request of 1 MB, on Postgres', () => {
  it('cost the same as on a small one', async () => {
    const opened = await postgres.open()
    const app = await startApp({ storage: opened.storage })
    const author = { id: people.ann.user.id, username: 'ann', imageUrl: null }
    const change = { id: 1, action: 'updateEnabled', feature: 'checkout', createdBy: author, createdAt: noon } as const
    const [id = 0] = await opened.storage.nextIds('changeRequest', 1)
    const changes = [{ ...change, payload: { enabled: true, note: randomBytes(500_000).toString('hex') } }]
    const before = write(changeRequest(id, { state: 'Draft', createdBy: author, changes }))
    try {
      expect(await opened.storage.commit(before)).toBe(true)
      const rows = () => opened.knex('ffcr_idempotency').orderBy('key')
      const size = await sizeOfRecords(opened)
      for (let call = 0; call < 5; call += 1) {
        const comment = supertest(app.server).post(`/api/admin/projects/shop/change-requests/${id}/comments`)
        const sent = { Authorization: people.ann.key, 'Idempotency-Key': `comment-${call}` }
        expect((await comment.set(sent).send({ text: 'Go.' })).status).toBe(204)
        const { status, body } = await app.propose(enable(), { headers: { 'Idempotency-Key': `propose-${call}` } })
        expect([status, body.id, body.comments.length]).toEqual([200, id, call + 1])
      }
      const records = await rows()
      expect(records).toHaveLength(10)
      for (const row of records) expect(JSON.stringify(row).length).toBeLessThan(500)
      expect(records.map(({ comment_id }) => comment_id && Number(comment_id))).toEqual([
        1,
        2,
        3,
        4,
        5,
        ...Array(5).fill(null),
      ])
      expect((await sizeOfRecords(opened)) - size).toBeLessThan(100_000)
    } finally {
      await app.close()
      await opened.close()
    }
  })
})

/** The size of the table of records, with its indexes and its values outside of rows. */
async function sizeOfRecords({ knex }: OpenDatabase): Promise<number> {
  const { rows } = await knex.raw("select pg_total_relation_size('ffcr_idempotency'::regclass) as size")
  return Number(rows[0].size)
}
