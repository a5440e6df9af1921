import { randomBytes } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { latestVersion } from '../../src/storage/sql/migrations'
import { startServer, stopAll } from '../package/support/child'
import { removeFolders, root, temporaryFolder } from '../package/support/folders'

const postgresUrl = process.env.TEST_POSTGRES_URL ?? ''
const schema = `example_${randomBytes(6).toString('hex')}`
const key = 'user:a-key-of-ann-for-this-test'
const API_KEYS = JSON.stringify([{ key, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }])
const path = '/api/admin/projects/default/environments/production/change-requests'

function databaseUrl(protocol: 'postgres:' | 'postgresql:', port?: number): string {
  const url = new URL(postgresUrl)
  if (port !== undefined) url.port = String(port)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return url.href.replace(/^postgres(ql)?:/, protocol)
}

const start = (DATABASE_URL: string) =>
  startServer([join(root, 'examples/server/server.js')], { cwd: temporaryFolder(), env: { API_KEYS, DATABASE_URL } })

const enable = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }

function propose(url: string, change: object = enable): Promise<Response> {
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(change) })
}

async function countEvents(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/admin/events`, { headers: { Authorization: key } })
  return ((await answer.json()) as { totalEvents: number }).totalEvents
}

async function inDatabase(text: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(text)
  await client.end()
}

beforeEach(() => inDatabase(`create schema ${schema}`))

afterEach(async () => {
  await stopAll()
  removeFolders()
  await inDatabase(`drop schema ${schema} cascade`)
})

describe('examples/server on Postgres', () => {
  it.each(['postgres:', 'postgresql:'] as const)('keeps its data where a %s address says', async (protocol) => {
    const first = await start(databaseUrl(protocol))
    expect((await propose(first.url)).status).toBe(200)
    const payload = { id: 'checkout-half', parameters: { rollout: '75%' } }
    expect((await propose(first.url, { action: 'updateStrategy', feature: 'checkout', payload })).status).toBe(400)
    expect(await first.stop()).toEqual({ status: 0, stdout: `listening on ${first.url}\n`, stderr: '' })
    const second = await start(databaseUrl(protocol))
    expect(await countEvents(second.url)).toBe(2)
    const health = await fetch(`${second.url}/health`)
    expect([health.status, await health.json()]).toEqual([
      200,
      {
        reachable: true,
        recovery: false,
        replication: expect.any(Object),
        failures: [],
        schemaVersion: latestVersion,
        compatible: true,
        lastEventId: 2,
        durability: expect.stringMatching(/^fsync=\w+, synchronous_commit=\w+$/),
        now: expect.any(String),
        schedule: expect.objectContaining({ due: 0, next: null, overdueSince: null }),
        interruptedApplies: 0,
        consumers: { lowestPosition: null, items: [] },
      },
    ])
  })

  it('answers 503 while the database is out of reach, and goes on by itself once it is back', async () => {
    const line = await startLine()
    const server = await start(databaseUrl('postgres:', line.port))
    expect((await propose(server.url)).status).toBe(200)

    line.cut()
    expect((await fetch(`${server.url}/health`)).status).toBe(503)
    const refused = await propose(server.url)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])

    line.mend()
    while ((await fetch(`${server.url}/health`)).status !== 200);
    expect((await propose(server.url)).status).toBe(200)
    expect(await countEvents(server.url)).toBe(3)
    await line.close()
    const { status, stderr } = await server.stop()
    expect(status).toBe(0)
    expect(stderr).not.toContain(key)
  })
})

interface Line {
  readonly port: number
  /** Breaks all connections and takes no new ones until it is mended. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** A way to the database that can be cut. */
async function startLine(): Promise<Line> {
  const { hostname, port } = new URL(postgresUrl)
  const sockets = new Set<Socket>()
  let whole = true
  const hold = (socket: Socket) =>
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)))
  const server: Server = createServer((near) => {
    hold(near)
    if (!whole) return void near.destroy()
    const far = connect(Number(port), hostname)
    hold(far)
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    whole = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as { port: number }).port,
    cut,
    mend: () => {
      whole = true
    },
    close: () => {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
