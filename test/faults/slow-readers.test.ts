import { get, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { enable, people, startApp, type TestApp } from '../support/app'
import { databases, type OpenDatabase } from '../support/databases'
import { many } from './events'

const total = 50_000
const listSize = 500
const readers = 20
const posts = 15

function open(app: TestApp, accept: string): Promise<IncomingMessage> {
  const headers = { Authorization: people.ann.key, Accept: accept }
  const path = '/api/admin/events?project=large'
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: app.port, path, headers, agent: false }, (answer) => resolve(answer.pause())).on(
      'error',
      reject,
    )
  })
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0
}

describe.each(databases)(`${readers} clients that hardly read, and a pool of two, on $name`, ({ open: openStore }) => {
  let database: OpenDatabase
  let app: TestApp

  beforeAll(async () => {
    database = await openStore({ pool: { min: 0, max: 2 } })
    for (let first = 0; first < total; first += listSize) {
      await database.storage.appendEvents(many('large', first, listSize))
    }
    app = await startApp({ storage: database.storage })
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  const post = async (project: string) => {
    const start = performance.now()
    expect((await app.propose(enable(), { project })).status).toBe(200)
    return performance.now() - start
  }

  it.each(['application/json', 'application/x-ndjson', 'text/csv'])(
    'leave a POST its 200 ms, their answers being %s',
    async (accept) => {
      const project = accept.replace(/\W/g, '-')
      await post(project)
      const quiet: number[] = []
      for (let turn = 0; turn < posts; turn += 1) quiet.push(await post(project))

      const slow = await Promise.all(Array.from({ length: readers }, () => open(app, accept)))
      try {
        const beside: number[] = []
        for (let turn = 0; turn < posts; turn += 1) {
          // Now and then they take what has come so far.
          if (turn % 5 === 2) for (const answer of slow) answer.read()
          beside.push(await post(project))
        }
        expect(slow.filter(({ readableEnded }) => readableEnded)).toEqual([])
        // On a machine that is busy with other things all of it takes longer.
        expect(median(beside)).toBeLessThan(Math.max(200, 5 * median(quiet)))
        const { pool } = database.knex.client
        const deadline = performance.now() + 10_000
        while (pool.numUsed() > 0 && performance.now() < deadline) await setTimeout(20)
        expect([pool.numUsed(), pool.numPendingAcquires()]).toEqual([0, 0])
      } finally {
        for (const answer of slow) answer.destroy()
      }
    },
  )
})
