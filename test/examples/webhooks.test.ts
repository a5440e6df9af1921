import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { startServer, stopAll } from '../package/support/child'
import { removeFolders, root, temporaryFolder } from '../package/support/folders'
import { until } from '../support/consumers/consumer-app'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`
const folder = join(root, 'examples/webhooks')
const key = 'user:a-key-of-ann-for-this-test'
const API_KEYS = JSON.stringify([{ key, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }])
const body = JSON.stringify({
  type: 'feature-archived',
  timestamp: '2026-11-20T10:52:09.870Z',
  data: { id: 7, createdBy: 'Zoë', project: 'shop', environment: null },
})

const startReceiver = () =>
  startServer([join(folder, 'receiver.js')], { cwd: temporaryFolder(), env: { WEBHOOK_SECRET: secret, PORT: '0' } })

function signedHeaders(by: string, at = new Date(), id = 'msg_1'): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': new Webhook(by).sign(id, at, body),
  }
}

afterEach(async () => {
  await stopAll()
  removeFolders()
})

describe('examples/webhooks', () => {
  it('prints each event of the example server once, in order', async () => {
    const receiver = await startReceiver()
    const server = await startServer([join(root, 'examples/server/server.js')], {
      cwd: temporaryFolder(),
      env: { API_KEYS, DATABASE_URL: 'store.sqlite', WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret },
    })
    await fetch(`${server.url}/api/admin/projects/default/environments/production/change-requests`, {
      method: 'POST',
      headers: { Authorization: key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }),
    })
    const consumers = async () => {
      const response = await fetch(`${server.url}/api/admin/consumers`, { headers: { Authorization: key } })
      return ((await response.json()) as { consumers: { name: string; lag: number; position: number }[] }).consumers
    }
    await until(async () => (await consumers()).some(({ position, lag }) => position === 2 && lag === 0))
    const { stdout, stderr } = await receiver.stop()
    expect(stderr).toBe('')
    expect(
      stdout
        .split('\n')
        .filter((line) => / event=/.test(line))
        .map((line) => line.replace(/^\S+ /, '')),
    ).toEqual([
      'change-request-created event=1 by=ann in=default/production',
      'change-added event=2 by=ann in=default/production',
    ])
  })

  it('rejects what is not signed, signed by another secret, altered, or old, and prints a repeat once', async () => {
    const receiver = await startReceiver()
    const send = async (headers: Record<string, string>, sent = body) =>
      (await fetch(receiver.url, { method: 'POST', headers, body: sent })).status
    const longAgo = new Date(Date.now() - 6 * 60_000)
    expect(await send({})).toBe(401)
    expect(await send(signedHeaders(other))).toBe(401)
    expect(await send(signedHeaders(secret), `${body} `)).toBe(401)
    expect(await send(signedHeaders(secret, longAgo))).toBe(401)
    expect(await send({ ...signedHeaders(secret), 'webhook-signature': 'v1,' })).toBe(401)
    expect(await send(signedHeaders(secret), 'x'.repeat(2 << 20)).catch(() => 413)).toBe(413)
    const rotated = signedHeaders(secret)
    rotated['webhook-signature'] = `${signedHeaders(other)['webhook-signature']} ${rotated['webhook-signature']}`
    expect([await send(rotated), await send(rotated)]).toEqual([204, 204])
    const { stdout } = await receiver.stop()
    expect(stdout.match(/event=7 by=Zoë in=shop\/null/g)).toHaveLength(1)
  })

  const python = spawnSync('python3', ['--version']).status === 0 ? it : it.skip
  python('verifies in Python, too', () => {
    const check = (headers: Record<string, string>, sent = body) => {
      const code = `import json, sys; from verify import is_signed; h, b = json.load(sys.stdin); print(is_signed('${secret}', h, b.encode()))`
      const run = spawnSync('python3', ['-c', code], {
        cwd: folder,
        input: JSON.stringify([headers, sent]),
        encoding: 'utf8',
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
      })
      return run.stdout.trim()
    }
    expect(check(signedHeaders(secret))).toBe('True')
    expect(check(signedHeaders(other))).toBe('False')
    expect(check(signedHeaders(secret), `${body} `)).toBe('False')
    expect(check(signedHeaders(secret, new Date(Date.now() - 6 * 60_000)))).toBe('False')
    expect(check({})).toBe('False')
  })

  it('verifies with the code of the guide', () => {
    const guide = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
    expect(guide).toContain(readFileSync(join(folder, 'verify.js'), 'utf8'))
    expect(guide).toContain(readFileSync(join(folder, 'verify.py'), 'utf8'))
  })
})
