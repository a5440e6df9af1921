import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
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

  it('rejects what is not signed or altered, and prints a repeat once', async () => {
    const receiver = await startReceiver()
    const send = async (headers: Record<string, string>, sent = body) =>
      (await fetch(receiver.url, { method: 'POST', headers, body: sent })).status
    expect(await send({})).toBe(401)
    expect(await send(signedHeaders(secret), `${body} `)).toBe(401)
    expect(await send(signedHeaders(secret), 'x'.repeat(2 << 20)).catch(() => 413)).toBe(413)
    const leaving = connect(Number(new URL(receiver.url).port), '127.0.0.1')
    leaving.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{')
    await once(leaving.resume(), 'close')
    const rotated = signedHeaders(secret)
    rotated['webhook-signature'] = `${signedHeaders(other)['webhook-signature']} ${rotated['webhook-signature']}`
    expect([await send(rotated), await send(rotated)]).toEqual([204, 204])
    const { stdout } = await receiver.stop()
    expect(stdout.match(/event=7 by=Zoë in=shop\/null/g)).toHaveLength(1)
  })

  /** Requests, and whether they are signed. */
  function requests() {
    type Case = readonly [
      title: string,
      isSigned: boolean,
      headers: Record<string, unknown>,
      by?: unknown,
      sent?: string,
    ]
    const now = signedHeaders(secret)
    const replace = (name: string, values: readonly unknown[]): Case[] =>
      values.map((value) => [
        `${name} ${JSON.stringify(value)?.slice(0, 60)}`,
        false,
        { ...now, [`webhook-${name}`]: value },
      ])
    const signature = now['webhook-signature'] ?? ''
    const stamp = now['webhook-timestamp'] ?? ''
    const empty = createHmac('sha256', '').update(`msg_1.${stamp}.${body}`).digest('base64')
    const cases: readonly Case[] = [
      ['signed', true, now],
      ['two signatures', true, { ...now, 'webhook-signature': `v1,${'A'.repeat(43)}= ${signature}` }],
      ['another secret', false, signedHeaders(other)],
      ['another body', false, now, secret, `${body} `],
      ['old', false, signedHeaders(secret, new Date(Date.now() - 6 * 60_000))],
      ['of the future', false, signedHeaders(secret, new Date(Date.now() + 6 * 60_000))],
      ['no headers', false, {}],
      ['signed by an empty secret', false, { ...now, 'webhook-signature': `v1,${empty}` }, 'whsec_'],
      ...replace('id', [null, '', '\udc80', 'é']),
      ...replace('timestamp', [
        null,
        '',
        '\udc80',
        '²',
        '1²',
        '٣',
        '-1',
        '1e9',
        ' ',
        '9'.repeat(5_000),
        `${stamp}\n`,
        'NaN',
      ]),
      ...replace('signature', [
        null,
        '',
        '\udc80',
        'v1,é',
        'v1,',
        'v1',
        ',',
        'é',
        'v1,===',
        'v1a,x',
        `v1,${'é'.repeat(44)}`,
      ]),
      ...replace('signature', [`v2${signature.slice(2)}`, `${signature}=`, signature.replace(',', ',,')]),
      ...[null, [], '', 'whsec_', 'whsec_é', 'whsec_a', 'no base64!'].map(
        (by): Case => [`secret ${JSON.stringify(by)}`, false, now, by],
      ),
    ]
    return cases.map(([title, isSigned, headers, by = secret, sent = body]) => ({ title, isSigned, headers, by, sent }))
  }

  type Requests = ReturnType<typeof requests>
  const expected = (all: Requests) => all.map(({ title, isSigned }) => [title, isSigned])

  it('verifies in Node, whatever a sender or an operator writes', () => {
    const { isSigned } = require(join(folder, 'verify.js'))
    const all = requests()
    const results = all.map(({ title, by, headers, sent }) => [title, isSigned(by, headers, Buffer.from(sent))])
    expect(results).toEqual(expected(all))
  })

  const python = spawnSync('python3', ['--version']).status === 0 ? it : it.skip
  python('verifies in Python, too', () => {
    const all = requests()
    const code = `import json, sys
from verify import is_signed
print(json.dumps([is_signed(r["by"], r["headers"], r["sent"].encode()) for r in json.load(sys.stdin)]))`
    const { stdout, stderr } = spawnSync('python3', ['-c', code], {
      cwd: folder,
      input: JSON.stringify(all),
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    })
    expect(stderr).toBe('')
    const results = JSON.parse(stdout) as boolean[]
    expect(all.map(({ title }, index) => [title, results[index]])).toEqual(expected(all))
  })

  it('verifies with the code of the guide', () => {
    const guide = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
    expect(guide).toContain(readFileSync(join(folder, 'verify.js'), 'utf8'))
    expect(guide).toContain(readFileSync(join(folder, 'verify.py'), 'utf8'))
  })
})
