import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import type { Storage } from '../../src/ports/storage'
import { databases, type Place } from '../support/databases'
import { many } from './events'
import { listening, type Server, support } from './server'

const total = 100_000
const listSize = 500
const key = 'key-of-the-reader-0123456789'
const headers = { Authorization: key }
const keys = [{ key, user: { id: 1, username: 'reader' }, grants: [{ permission: 'ADMIN' }] }]

jest.setTimeout(120_000)

const onLinux = existsSync('/proc/self/status') ? describe : describe.skip

onLinux.each(databases)('GET events of a project with 100,000, from the example server on $name', ({ open }) => {
  it('is valid JSON with exactly those, and costs less than 50 MB and no other request its turn', async () => {
    const database = await open({ namedSchema: false })
    await fill(database.storage)
    const server = await startExample(database.place)
    try {
      for (let warm = 0; warm < 20; warm += 1) await read(server, '/api/admin/events?project=small')
      const beside = watch(server)
      const body = await read(server, '/api/admin/events?project=large')
      const { growth, slowest, took } = await beside.end()

      const list = JSON.parse(body.toString())
      expect(list).toMatchObject({ version: 1, totalEvents: total })
      expect(list.events.map(({ id }: { id: number }) => id)).toEqual(ids())
      expect(list.events[0]).toMatchObject({ type: 'feature-updated', project: 'large', data: { n: total - 1 } })
      expect(growth).toBeLessThan(50)
      // On a machine that is busy with other things both take longer.
      expect(slowest).toBeLessThan(Math.max(800, took / 3))
    } finally {
      await server.kill()
      await database.close()
    }
  })
})

/** Newest first; the events of the small project came before. */
function ids(): number[] {
  return Array.from({ length: total }, (_, index) => total + listSize - index)
}

async function fill(storage: Storage): Promise<void> {
  await storage.appendEvents(many('small', 0, listSize))
  for (let first = 0; first < total; first += listSize) await storage.appendEvents(many('large', first, listSize))
}

/** Postgres has no option for a schema there: the connection brings it. */
function startExample({ knex }: Place): Promise<Server> {
  const database =
    knex.client === 'pg'
      ? `${knex.connection}?options=${encodeURIComponent(`-c search_path=${knex.searchPath[0]}`)}`
      : knex.connection.filename
  const env = { DATABASE_URL: database, PORT: '0', HOST: '127.0.0.1', API_KEYS: JSON.stringify(keys) }
  return listening([process.execPath, join(support, '../../examples/server/server.js')], env)
}

function read({ url }: Server, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url + path, { headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)))
      answer.on('error', reject)
    }).on('error', reject)
  })
}

/** Looks at the memory, in MB, and asks for the health every 10 ms, until it is ended. */
function watch(server: Server) {
  const before = megabytes(server)
  const started = performance.now()
  const answered: Promise<number>[] = []
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, megabytes(server))
    const start = performance.now()
    answered.push(read(server, '/health').then(() => performance.now() - start))
  }, 10)
  return {
    async end() {
      clearInterval(timer)
      const took = performance.now() - started
      return { growth: peak - before, slowest: Math.max(...(await Promise.all(answered))), took }
    },
  }
}

function megabytes({ pid }: Server): number {
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(rss?.[1]) / 1024
}
