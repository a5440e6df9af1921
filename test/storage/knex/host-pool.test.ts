import supertest from 'supertest'
import { changeRequestsPath, enable, people, startApp } from '../../support/app'
import { openAgain, postgres, sqlite } from '../../support/databases'
import { connectionsInUse } from '../../support/databases/pool'

const callers = 50

describe.each([
  { name: 'SQLite, which has one connection', database: sqlite, max: 1 },
  { name: 'Postgres with a pool of 1', database: postgres, max: 1 },
  { name: 'Postgres with a pool of 10', database: postgres, max: 10 },
])(`${callers} callers that read, write and stream concurrently, on $name`, ({ database, max }) => {
  it('are all served within the limit of connections, and nothing is lost', async () => {
    let made = 0
    const afterCreate = (_: unknown, done: (error: null) => void) => {
      made += 1
      done(null)
    }
    const store = await database.open()
    const { knex, storage, close } = openAgain(store.place, { pool: { min: 0, max, afterCreate } })
    const app = await startApp({ storage, recordOnly: true })
    const request = supertest(app.server)
    const ann = { Authorization: people.ann.key }
    try {
      const statuses = await Promise.all(
        Array.from({ length: callers }, async (_, caller) => {
          const project = `p${caller}`
          const one = `/api/admin/projects/${project}/change-requests`
          const proposed = await app.propose([enable('checkout'), enable('search')], { project })
          const { id } = proposed.body
          const inReview = () => request.put(`${one}/${id}/state`).set(ann).send({ state: 'In review' })
          const answers = await Promise.all([
            request.post(changeRequestsPath(project)).set(ann).send(enable('basket')),
            request.get(`${one}/${id}`).set(ann),
            request.get(one).set(ann),
            app.events(`?project=${project}`),
            app.events(),
            request.post(`${one}/${id}/comments`).set(ann).send({ text: 'Please.' }),
          ])
          return [proposed, ...answers, await inReview()].map(({ status }) => status)
        }),
      )

      expect(new Set(statuses.flat().filter((status) => status >= 300))).toEqual(new Set())
      const expected = [
        'change-request-sent-to-review',
        ...Array.from({ length: 3 }, () => 'change-added'),
        'change-request-created',
      ]
      for (let caller = 0; caller < callers; caller += 1) {
        const { events, totalEvents } = (await app.events(`?project=p${caller}`)).body
        const types = events.map(({ type }: { type: string }) => type).sort()
        expect([totalEvents, types]).toEqual([expected.length, [...expected].sort()])
      }
      expect(made).toBeLessThanOrEqual(max)
      expect(connectionsInUse(knex)).toBe(0)
    } finally {
      await app.close()
      await close()
      await store.close()
    }
  })
})
