import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ChangeRequestRouterOptions, FlagEvent, FlagGateway } from 'express-change-requests'
import type { Knex } from 'knex'
import { blocks, readText, section } from '../../test/package/support/markdown'
import { inProcess } from '../../test/storage/model/support/callers'
import { openRouter } from '../../test/storage/model/support/hosts'
import { approved, enable, shop, to } from '../../test/storage/model/support/walks'
import { type OpenDatabase, sqlite } from '../../test/support/databases'
import { isNightly } from '../../test/support/nightly'

const { remoteGateway } = require('./gateway') as {
  remoteGateway(knex: Knex, url: string): FlagGateway & Required<Pick<FlagGateway, 'outcome'>>
}

const changesOf = (names: readonly string[]) =>
  names.map((feature) => ({ ...enable(feature), id: 1, expected: { enabled: false } }))
const events = (names: readonly string[]) =>
  names.map((featureName) => ({ type: 'feature-environment-enabled', featureName }))

interface Flag {
  readonly enabled: boolean
  readonly version: number
  readonly comment?: string
}

/** A flag server with versions and comments, and without idempotency keys. */
class FlagServer {
  readonly flags = new Map<string, Flag>()
  url = ''
  /** Called after each write. */
  afterWrite: (name: string) => void = () => undefined
  /** The number of writes until the server fails once. */
  failsAfter = Number.POSITIVE_INFINITY

  readonly #server = createServer(async (req, res) => {
    const name = decodeURIComponent((req.url ?? '').replace('/flags/', ''))
    const send = (status: number, body: unknown = {}) => res.writeHead(status).end(JSON.stringify(body))
    const flag = this.flags.get(name)
    if (flag === undefined) return send(404)
    if (req.method === 'GET') return send(200, flag)
    let text = ''
    for await (const part of req) text += part
    if (req.headers['if-match'] !== `"${flag.version}"`) return send(412)
    this.failsAfter -= 1
    if (this.failsAfter === 0) return send(500)
    this.set(name, JSON.parse(text))
    this.afterWrite(name)
    return send(200, this.flags.get(name))
  })

  set(name: string, { enabled, comment }: Omit<Flag, 'version'>): void {
    const version = (this.flags.get(name)?.version ?? 0) + 1
    this.flags.set(name, { enabled, version, ...(comment !== undefined && { comment }) })
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.close().closeAllConnections()
    await once(this.#server, 'close')
  }
}

let database: OpenDatabase
let server: FlagServer
let gateway: ReturnType<typeof remoteGateway>

beforeEach(async () => {
  server = new FlagServer()
  await server.start()
  database = await sqlite.open()
  const guide = section(readText('docs/flag-gateway.md'), '### Apply to a server without idempotency keys')
  const [table] = blocks(guide)
  await database.knex.raw(table?.text ?? '')
  gateway = remoteGateway(database.knex, server.url)
})
afterEach(async () => {
  await database.close()
  await server.stop()
})

interface Ended {
  readonly signal: string | null
  /** Undefined if it was killed. */
  readonly result?: readonly FlagEvent[] | string | null
  readonly steps: number
}

/** Calls the gateway in another process. */
async function inOtherProcess(method: 'apply' | 'outcome', args: readonly unknown[], dieAt?: number): Promise<Ended> {
  const file = join(__dirname, '../../test/support/processes/remote-apply.cjs')
  const call = { knex: database.place.knex, url: server.url, method, args, dieAt }
  const child = spawn(process.execPath, [file, JSON.stringify(call)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [, signal] = await once(child, 'close')
  return { signal, ...(output === '' ? { steps: 0 } : JSON.parse(output)) }
}

/** The gate has some of the steps. */
const someOf = (steps: number) => {
  const all = Array.from({ length: steps }, (_, index) => index + 1)
  return isNightly ? all : all.filter((step) => step % 8 === 5)
}

describe('a process that dies while it applies changes to two flags', () => {
  /** Each attempt has its own flags. */
  function create(attempt: string) {
    const names = [`${attempt}-first`, `${attempt}-second`]
    for (const name of names) server.set(name, { enabled: false })
    return { names, args: [changesOf(names), { applyId: attempt }] as const }
  }
  const enabled = (names: readonly string[]) => names.map((name) => server.flags.get(name)?.enabled)

  it('has changed both flags or none, and says which', async () => {
    const whole = create('whole')
    const { result, steps } = await inOtherProcess('apply', whole.args)
    expect([result, enabled(whole.names)]).toEqual([events(whole.names), [true, true]])
    expect(steps).toBeGreaterThan(12)
    for (const step of someOf(steps)) {
      const { names, args } = create(`step-${step}`)
      const applyId = args[1].applyId
      expect((await inOtherProcess('apply', args, step)).signal).toBe('SIGKILL')
      await inOtherProcess('outcome', [applyId], 1 + (step % 8))
      const outcome = await gateway.outcome(applyId)
      const isApplied = outcome !== null
      expect([step, outcome, enabled(names)]).toEqual([step, isApplied ? events(names) : null, [isApplied, isApplied]])
      // Nothing was stored before the first statement; later the apply is completed.
      expect(isApplied).toBe(step > 5)
      expect(await gateway.outcome(applyId)).toEqual(outcome)
      // A late request for it changes nothing.
      if (isApplied) continue
      const late = gateway.apply(args[0] as never, args[1] as never)
      // The driver creates its errors in the realm of the test file that loaded it first.
      expect(
        await late.then(
          () => 'applied',
          () => 'rejected',
        ),
      ).toBe('rejected')
      expect(enabled(names)).toEqual([false, false])
    }
  })

  it('has changed none if another user has changed one meanwhile', async () => {
    // The other user changes the second flag after the first is written, but keeps it off.
    server.afterWrite = (name) => {
      const second = name.replace('-first', '-second')
      if (name.endsWith('-first') && server.flags.get(second)?.version === 1) {
        server.set(second, { enabled: false, comment: 'by hand' })
      }
    }
    const whole = create('whole')
    const { result, steps } = await inOtherProcess('apply', whole.args)
    expect([result, enabled(whole.names)]).toEqual(['ConflictError', [false, false]])
    for (const step of someOf(steps)) {
      const { names, args } = create(`step-${step}`)
      expect((await inOtherProcess('apply', args, step)).signal).toBe('SIGKILL')
      await inOtherProcess('outcome', [args[1].applyId], 1 + (step % 8))
      expect([step, await gateway.outcome(args[1].applyId), enabled(names)]).toEqual([step, null, [false, false]])
      const second = server.flags.get(names[1] ?? '')
      expect([step, second?.comment]).toEqual([step, second?.version === 1 ? undefined : 'by hand'])
    }
  })

  it('leaves a flag as a user left it after the write', async () => {
    const { names, args } = create('later')
    server.afterWrite = (name) => {
      server.afterWrite = () => undefined
      server.set(name, { enabled: false, comment: 'by hand' })
    }
    await inOtherProcess('apply', args, 11)
    expect(await gateway.outcome('later')).toBeNull()
    expect(names.map((name) => server.flags.get(name)?.enabled)).toEqual([false, false])
    expect(server.flags.get('later-first')).toMatchObject({ version: 3, comment: 'by hand' })
  })
})

describe('a router with this gateway', () => {
  const open = (options: Partial<ChangeRequestRouterOptions> = {}) =>
    inProcess(openRouter(database.storage, { flags: gateway, ...options }))

  beforeEach(() => {
    for (const name of ['checkout', 'search']) server.set(name, { enabled: false })
  })

  it('applies what is approved, also if the server fails in between', async () => {
    const send = open()
    await approved(send, [enable('checkout'), enable('search')])
    server.failsAfter = 2
    expect((await to(send, 'ben', 'Applied')).body).toMatchObject({ state: 'Applied' })
    expect([...server.flags.values()].map(({ enabled }) => enabled)).toEqual([true, true])
    const { body } = await send('dora', 'GET', '/api/admin/events')
    const types = body.events.map(({ type }: { type: string }) => type)
    expect(types.filter((type: string) => type === 'feature-environment-enabled')).toHaveLength(2)
  })

  it('is 409 if another user changes a flag meanwhile, and leaves the change request approved', async () => {
    const send = open()
    await approved(send, [enable('checkout'), enable('search')])
    server.afterWrite = () => {
      server.afterWrite = () => undefined
      server.set('search', { enabled: false, comment: 'by hand' })
    }
    expect((await to(send, 'ben', 'Applied')).name).toBe('ConflictError')
    expect((await send('ann', 'GET', `${shop}/change-requests/1`)).body.state).toBe('Approved')
    expect([...server.flags.values()].map(({ enabled }) => enabled)).toEqual([false, false])
    expect((await to(send, 'ben', 'Applied')).body.state).toBe('Applied')
  })

  it('does not know flags that the server does not have', async () => {
    const subjects = { project: 'shop', environment: 'production', features: ['search', 'no-such-flag'], segments: [] }
    expect([...(await gateway.current(subjects)).features]).toEqual([['search', { enabled: false, archived: false }]])
  })
})

it('has at most sixty lines', () => {
  expect(readText('examples/remote-gateway/gateway.js').trimEnd().split('\n').length).toBeLessThanOrEqual(60)
})
