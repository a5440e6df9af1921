import { existsSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Storage } from '../../../src/ports/storage/storage'
import { databases, type OpenDatabase, type Place } from '../../support/databases'
import { isNightly } from '../../support/nightly'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { many } from '../events/events'
import { listening, type Server, support } from '../support/server'

/** The default run also reads a response of 50 MB, which must never be in memory as a whole. */
const total = isNightly ? 100_000 : 40_000
const listSize = 500
const key = 'key-of-the-reader-0123456789'
const headers = { Authorization: key }
const keys = [{ key, user: { id: 1, username: 'reader' }, grants: [{ permission: 'ADMIN' }] }]

const onLinux = existsSync('/proc/self/status') ? describe : describe.skip

/** The ids in a complete response, and the number of events that it states. */
type Read = (text: string) => { readonly ids: readonly number[]; readonly count: number }

const formats: readonly { readonly accept: string; readonly parse: Read }[] = [
  {
    accept: 'application/json',
    parse(text) {
      const { version, events, totalEvents } = JSON.parse(text)
      expect([version, events[0]]).toMatchObject([1, { type: 'feature-updated', data: { n: total - 1 } }])
      return { ids: events.map(({ id }: { id: number }) => id), count: totalEvents }
    },
  },
  {
    accept: 'application/x-ndjson',
    parse(text) {
      const lines = text.split('\n').slice(0, -1)
      const { count } = JSON.parse(lines.pop() ?? '').trailer
      return { ids: lines.map((line) => JSON.parse(line).id), count }
    },
  },
  {
    accept: 'text/csv',
    parse(text) {
      // No cell of these events has a line break in it.
      const [, ...rows] = text.split('\r\n').slice(0, -1)
      const [, count] = rows.pop()?.split(',') ?? []
      return { ids: rows.map((row) => Number.parseInt(row, 10)), count: Number(count) }
    },
  },
]

onLinux.each(databases)('GET events of a large project, from the example server on $name', ({ name, open }) => {
  let database: OpenDatabase

  beforeAll(async () => {
    database = await open({ namedSchema: false })
    await fill(database.storage)
  })

  afterAll(async () => {
    await expectConsistent(database.storage)
    await database.close()
  })

  // Each database reads the same pages for every format, so one format is enough on the other databases.
  it.each(name === 'Postgres' ? formats : formats.slice(0, 1))(
    'returns exactly those as $accept, with less than 50 MB of memory, while other requests are served',
    async ({ accept, parse }) => {
      const server = await startExample(database.place)
      try {
        for (let warm = 0; warm < 50; warm += 1) await read(server, '/api/admin/events?project=small', accept)
        const watching = watch(server)
        const body = await read(server, '/api/admin/events?project=large', accept, watching.took)
        const { growth, longest } = await watching.end()

        expect(parse(body.toString())).toEqual({ ids: ids(), count: total })
        expect(growth).toBeLessThan(50)
        expect(longest).toBeLessThan(body.length / 3)
      } finally {
        await server.kill()
      }
    },
  )
})

/** Newest first. The events of the small project were stored before. */
function ids(): number[] {
  return Array.from({ length: total }, (_, index) => total + listSize - index)
}

async function fill(storage: Storage): Promise<void> {
  await storage.appendEvents(many('small', 0, listSize))
  for (let first = 0; first < total; first += listSize) await storage.appendEvents(many('large', first, listSize))
}

/** The example server has no option for a schema on Postgres, so the connection sets it. */
function startExample({ knex }: Place): Promise<Server> {
  const database =
    knex.client === 'pg'
      ? `${knex.connection}?options=${encodeURIComponent(`-c search_path=${knex.searchPath[0]}`)}`
      : knex.connection.filename
  const env = { DATABASE_URL: database, PORT: '0', HOST: '127.0.0.1', API_KEYS: JSON.stringify(keys) }
  const node = [process.execPath, '--expose-gc', '--require', join(support, 'collect-garbage.cjs')]
  return listening([...node, join(support, '../../examples/server/server.js')], env)
}

function ask({ url }: Server, path: string, accept = '*/*'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url + path, { headers: { ...headers, Accept: accept }, agent: false }, resolve).on('error', reject)
  })
}

async function read(server: Server, path: string, accept?: string, took?: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await ask(server, path, accept)) {
    chunks.push(chunk)
    took?.(chunk.length)
  }
  return Buffer.concat(chunks)
}

/**
 * Requests the health and measures the memory, in MB, again and again until it is ended. `longest` is the number of bytes
 * that other requests received during the longest wait for a response.
 */
function watch(server: Server) {
  const before = megabytes(server)
  let peak = before
  let longest = 0
  let total = 0
  let ended = false
  const watching = (async () => {
    while (!ended) {
      peak = Math.max(peak, megabytes(server))
      const taken = total
      await read(server, '/health')
      longest = Math.max(longest, total - taken)
    }
  })()
  watching.catch(() => undefined)
  return {
    took(bytes: number) {
      total += bytes
    },
    async end() {
      ended = true
      await watching
      return { growth: peak - before, longest }
    },
  }
}

function megabytes({ pid }: Server): number {
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(rss?.[1]) / 1024
}
