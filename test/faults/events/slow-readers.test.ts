import { get, type IncomingMessage } from 'node:http'
import { enable, people, startApp, type TestApp } from '../../support/app'
import { databases, type OpenDatabase } from '../../support/databases'
import { isNightly } from '../../support/nightly'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { until } from '../support/server'
import { many } from './events'

const total = isNightly ? 50_000 : 20_000
const listSize = 500
const pageSize = 500
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

describe.each(databases)(`${readers} clients that hardly read, and a pool of two, on $name`, ({ open: openStore }) => {
  let database: OpenDatabase
  let app: TestApp
  let pages = 0

  beforeAll(async () => {
    database = await openStore({ pool: { min: 0, max: 2 } })
    for (let first = 0; first < total; first += listSize) {
      await database.storage.appendEvents(many('large', first, listSize))
    }
    const { storage } = database
    const eventPage: typeof storage.eventPage = (...args) => {
      pages += 1
      return storage.eventPage(...args)
    }
    app = await startApp({ storage: { ...storage, eventPage } })
  })

  afterAll(async () => {
    await app.close()
    await expectConsistent(database.storage)
    await database.close()
  })

  const post = async (project: string) => {
    expect((await app.propose(enable(), { project })).status).toBe(200)
  }

  it.each(['application/json', 'application/x-ndjson', 'text/csv'])(
    'leave connections and the event loop to other requests, as %s',
    async (accept) => {
      const project = accept.replace(/\W/g, '-')
      pages = 0
      const slow = await Promise.all(Array.from({ length: readers }, () => open(app, accept)))
      try {
        for (let round = 0; round < posts; round += 1) {
          // Sometimes they read what has arrived so far.
          if (round % 5 === 2) for (const answer of slow) answer.read()
          await post(project)
        }
        // They read nothing more from here on, so at some point a POST passes without a page being read for them.
        await until(async () => {
          const before = pages
          await post(project)
          return pages === before
        })
        expect(pages).toBeLessThan((readers * total) / pageSize / 2)
        expect(slow.filter(({ readableEnded }) => readableEnded)).toEqual([])
        const { pool } = database.knex.client
        await until(() => pool.numUsed() === 0 && pool.numPendingAcquires() === 0)
      } finally {
        for (const answer of slow) answer.destroy()
      }
    },
  )
})
