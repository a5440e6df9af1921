import supertest from 'supertest'
import { changeRequestsPath, enable, people, startApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { LockWatch, otherConnection } from '../../support/databases/held-lock'

const ann = { Authorization: people.ann.key }
const one = '/api/admin/projects/shop/change-requests'
const config = '/api/admin/projects/shop/environments/production/change-requests/config'

describe('a SQLite file that another process has locked', () => {
  let watch: LockWatch
  let database: OpenDatabase
  async function start(statementTimeoutMs: number) {
    watch = new LockWatch()
    database = await sqlite.open({ statementTimeoutMs, host: { pool: watch.pool } })
    return startApp({ storage: database.storage, recordOnly: true })
  }
  afterEach(async () => {
    watch.stop()
    await database.close()
  })

  it('fails all writes with 503 within one timeout, while reads work and the event loop runs', async () => {
    const app = await start(500)
    const request = supertest(app.server)
    const settings = { requiredApprovals: 2, changeRequestsEnabled: true }
    const ids: number[] = []
    for (let count = 0; count < 5; count += 1) {
      ids.push((await app.propose(enable(), { project: 'shop', environment: `env-${count}` })).body.id)
    }
    const other = otherConnection(database.place)
    try {
      other.exec('begin immediate')
      let settled = 0
      let attemptsOfTheFirst = 0
      const calls = ids.flatMap((id) => [
        ...Array.from({ length: 4 }, () => request.post(`${one}/${id}/comments`).set(ann).send({ text: 'Please.' })),
        request.put(`${one}/${id}/state`).set(ann).send({ state: 'In review' }),
        request.put(`${one}/${id}/title`).set(ann).send({ title: 'Another' }),
        request
          .post(changeRequestsPath(`p${id}`))
          .set(ann)
          .send(enable()),
        request.put(config).set(ann).send(settings),
      ])
      const recorded = app.router.events.record({ type: 'feature-updated', project: 'shop' }).catch(() => 'refused')
      const answers = calls.map(async (call) => {
        const answer = await call
        if (settled === 0) attemptsOfTheFirst = watch.attempts.length
        settled += 1
        return answer
      })
      expect((await request.get(`${one}/${ids[0]}`).set(ann)).status).toBe(200)

      for (const { status, body, headers } of await Promise.all(answers)) {
        expect([status, body.name, body.message]).toEqual([503, 'UnavailableError', 'The database is busy. Try again.'])
        expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      }
      expect(await recorded).toBe('refused')
      // A write that waited with the first one does not start a timeout of its own.
      expect(watch.attempts.length - attemptsOfTheFirst).toBeLessThanOrEqual(calls.length)
      expect(watch.longestBlock).toBe(0)

      other.exec('commit')
      expect((await request.put(config).set(ann).send(settings)).status).toBe(204)
      expect((await request.post(`${one}/${ids[0]}/comments`).set(ann).send({ text: 'Now.' })).status).toBe(204)
    } finally {
      other.close()
      await app.close()
    }
  })

  it('delays a write, which succeeds if the file is unlocked soon', async () => {
    const app = await start(30_000)
    const other = otherConnection(database.place)
    try {
      other.exec('begin immediate')
      const answer = app.propose(enable()).then()
      await watch.seen(3)
      other.exec('commit')

      expect((await answer).status).toBe(200)
      expect(watch.longestBlock).toBe(0)
    } finally {
      other.close()
      await app.close()
    }
  })
})
