import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { latestVersion } from '../../src/storage/sql/migrations'
import { runNode, type Server, startServer, stopAll } from './support/child'
import { parseCurl, sendTo } from './support/curl'
import { removeFolders, root, temporaryFolder } from './support/folders'

const script = join(root, 'examples/server/server.js')
const path = '/api/admin/projects/default/environments/production/change-requests'
const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }

const annsKey = 'user:a-key-of-ann-for-this-test'
const ann = { key: annsKey, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }
const API_KEYS = JSON.stringify([ann])

function keyOf(user: string, { stdout }: Server): string {
  const key = new RegExp(`^ +${user} .* (user:[0-9a-f]{64})$`, 'm').exec(stdout())?.[1]
  if (key === undefined) throw new Error(`No key of ${user} in ${stdout()}`)
  return key
}

function propose({ url }: { url: string }, key: string, base = ''): Promise<Response> {
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  return fetch(`${url}${base}${path}`, { method: 'POST', headers, body: JSON.stringify(change) })
}

function readEvents({ url }: { url: string }, key: string, base = ''): Promise<Response> {
  return fetch(`${url}${base}/api/admin/events`, { headers: { Authorization: key } })
}

const types = async (response: Response) => {
  const { events } = (await response.json()) as { events: { type: string }[] }
  return events.map(({ type }) => type)
}

const { readSettings } = require('../../examples/server/settings')

afterEach(async () => {
  await stopAll()
  removeFolders()
})

describe('examples/server', () => {
  it('prints new keys of its users, a first request that works, and last its address', async () => {
    const server = await startServer([script], { cwd: temporaryFolder() })
    const keys = ['ann', 'ben', 'cara', 'dan'].map((user) => keyOf(user, server))
    expect(new Set(keys).size).toBe(4)
    expect(server.stdout().match(/listening on/g)).toHaveLength(1)
    expect(server.stdout()).toMatch(new RegExp(`\nlistening on ${server.url}\n$`))
    await expectPublicPaths(server)
    await expectUnknownPaths(server)

    const request = parseCurl(/^ +(curl .*)$/m.exec(server.stdout())?.[1] ?? '')
    expect(request.url).toBe(server.url + path)
    const answer = await sendTo(server.url, request)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id: 1, state: 'Draft', features: [{ name: 'checkout' }] })
    const can = []
    for (const key of keys) can.push([(await propose(server, key)).status, (await readEvents(server, key)).status])
    expect(can).toEqual([
      [200, 200],
      [403, 200],
      [200, 200],
      [200, 200],
    ])
    expect(await server.stop('SIGINT')).toMatchObject({ status: 0, stderr: '' })
  })

  /** Health and description, for everyone. */
  async function expectPublicPaths(server: Server): Promise<void> {
    const health = await fetch(`${server.url}/health`)
    expect(health.status).toBe(200)
    expect(await health.json()).toEqual({
      reachable: true,
      failures: [],
      schemaVersion: latestVersion,
      compatible: true,
      lastEventId: 0,
      durability: 'journal_mode=wal, synchronous=2',
      schedule: expect.objectContaining({ due: 0, next: null, overdueSince: null, clockOffMs: null }),
      interruptedApplies: 0,
      consumers: { lowestPosition: null, items: [] },
    })
    const description = await fetch(`${server.url}/openapi.json`)
    expect(description.status).toBe(200)
    expect(await description.json()).toEqual(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')))
  }

  /** In the format of all errors. */
  async function expectUnknownPaths(server: Server): Promise<void> {
    for (const [address, status, name] of [
      ['/nothing', 404, 'NotFoundError'],
      ['/%zz', 404, 'NotFoundError'],
      ['/api/admin/projects/%zz/environments/e/change-requests', 400, 'BadDataError'],
    ]) {
      const answer = await fetch(server.url + address, { method: 'POST' })
      const { message, ...body } = (await answer.json()) as { message: string }
      expect([answer.status, body]).toEqual([status, { id: expect.any(String), name, details: [{ message }] }])
    }
  }

  it('takes its users from API_KEYS and then prints no key', async () => {
    const server = await startServer([script], { cwd: temporaryFolder(), env: { API_KEYS } })
    expect((await propose(server, `Bearer ${annsKey}`)).status).toBe(200)
    expect((await propose(server, 'user:a-key-of-nobody')).status).toBe(401)
    const { stdout, stderr } = await server.stop()
    expect(stdout).toBe(`listening on ${server.url}\n`)
    expect(stderr).toBe('')
  })

  it.each([
    ['a file of the working directory', {}, ['change-added', 'change-request-created']],
    [':memory:', { DATABASE_URL: ':memory:' }, []],
  ])('stores its data in %s', async (_, database, stored) => {
    const start = { cwd: temporaryFolder(), env: { API_KEYS, ...database } }
    const first = await startServer([script], start)
    expect((await propose(first, annsKey)).status).toBe(200)
    await first.stop()
    expect(await types(await readEvents(await startServer([script], start), annsKey))).toEqual(stored)
  })

  it('finishes running responses on SIGTERM, and ends with status 0', async () => {
    const server = await startServer([script], { cwd: temporaryFolder(), env: { API_KEYS } })
    // What is loaded with the first answer need not be loaded in the seconds that are left for the last one.
    expect((await propose(server, annsKey)).status).toBe(200)
    const { hostname, port } = new URL(server.url)
    const body = JSON.stringify(change)
    const socket = createConnection(Number(port), hostname).setEncoding('utf8')
    let received = ''
    socket.on('data', (text) => (received += text))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${annsKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    while (!received.includes('100 Continue')) await new Promise((resolve) => socket.once('data', resolve))
    const ended = server.stop()
    while (await accepts(Number(port), hostname));
    socket.write(body)
    await closed
    expect(received).toMatch(/HTTP\/1.1 200 OK/)
    expect(await ended).toMatchObject({ status: 0, stderr: '' })
  })

  it('is ended by a signal to `npm start` as well', async () => {
    const env = { API_KEYS, DATABASE_URL: ':memory:' }
    const args = ['start', '--silent', '--ignore-scripts'] // the build is there already
    const server = await startServer(args, { command: 'npm', cwd: root, env })
    const { status, stdout } = await server.stop()
    expect([status, stdout]).toEqual([0, `listening on ${server.url}\n`])
    await expect(fetch(`${server.url}/health`)).rejects.toThrow('fetch failed')
  })

  const secret = 's3cr3t-that-must-not-be-shown'
  it.each([
    ['API_KEYS', `[{"key":"${secret}"`, 'API_KEYS must be a JSON list'],
    ['API_KEYS', secret, 'API_KEYS must be a JSON list'],
    ['API_KEYS', `{"key":"${secret}"}`, 'API_KEYS must be a JSON list'],
    ['API_KEYS', `[{"key":"${secret}"}]`, 'apiKeys[0]: option "user"'],
    ['API_KEYS', `[{"key":"${secret}","user":{"id":"1"}}]`, 'option "user.id"'],
    ['API_KEYS', `[{"key":"${secret}","user":{"id":1},"grant":[]}]`, 'unknown option "grant"'],
    ['PORT', '65536', 'PORT must be'],
    ['PORT', '80a', 'PORT must be'],
    ['DATABASE_URL', `mysql://root:${secret}@127.0.0.1/x`, 'DATABASE_URL must'],
  ])('names the invalid setting, and shows no secret: %s=%s', (name, value, message) => {
    const read = () => readSettings({ [name]: value })
    expect(read).toThrow(message)
    expect(read).not.toThrow('s3cr3t')
  })

  it.each([
    ['PORT', '65536', 'PORT must be'],
    ['HOST', '192.0.2.1', 'EADDRNOTAVAIL'],
    ['DATABASE_URL', `postgres://postgres:${secret}@127.0.0.1:1/x`, 'ECONNREFUSED'],
  ])('ends with status 1 and a message that names the error: %s=%s', async (name, value, message) => {
    const env = { PORT: '0', [name]: value }
    const { status, stdout, stderr } = await runNode([script], { cwd: temporaryFolder(), env }).exit
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(stdout + stderr).not.toContain('s3cr3t')
    expect(stdout).not.toContain('listening')
  })
})

describe('examples/mount', () => {
  it.each([
    ['express-5.cjs', ''],
    ['express-5.mjs', ''],
    ['express-4.cjs', '/flags'],
    ['express-4.mjs', '/flags'],
  ])('%s serves the router next to its own routes, and does not start without a key', async (file, base) => {
    const cwd = temporaryFolder()
    const server = await startServer([join(root, 'examples/mount', file)], { cwd, env: { ANN_KEY: annsKey } })
    const proposed = await propose(server, annsKey, base)
    expect(proposed.status).toBe(200)
    expect(await proposed.json()).toMatchObject({ project: 'default', environment: 'production', state: 'Draft' })
    expect(await types(await readEvents(server, annsKey, base))).toEqual(['change-added', 'change-request-created'])
    expect((await propose(server, 'user:a-key-of-nobody', base)).status).toBe(401)
    const own = await fetch(server.url, { headers: { Authorization: annsKey } })
    expect([own.status, await own.text()]).toEqual([200, 'the app that was there before'])
    const withoutKey = runNode([join(root, 'examples/mount', file)], { cwd, env: { PORT: '0' } })
    expect(await withoutKey.exit).toMatchObject({ status: 1, stdout: '' })
  })
})

/** Whether a new connection is taken. */
function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, host)
    const settle = (accepted: boolean) => {
      socket.destroy()
      resolve(accepted)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}
