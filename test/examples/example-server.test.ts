import { randomBytes } from 'node:crypto'
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

function databaseUrl(protocol: 'postgres:' | 'postgresql:'): string {
  const url = new URL(postgresUrl)
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
})
