import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fc from 'fast-check'
import { type ChangeRequestRouter, memoryStorage, type Storage } from '../../../src/index'
import { openAgain, postgres, sqlite } from '../../support/databases'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { type Answer, inProcess, overHttp, people, type Send } from './support/callers'
import { openRouter } from './support/hosts'
import { everything } from './support/invariants'
import { enable, ok, propose, shop } from './support/walks'

const stores = [
  { name: 'memory, two processes', sequences: runs(5), open: async () => memory() },
  { name: 'SQLite', sequences: runs(4), open: async () => databaseOf(sqlite, 1) },
  { name: 'Postgres, two processes', sequences: runs(4), open: async () => databaseOf(postgres, 2) },
] as const

async function memory(): Promise<{ storages: Storage[]; close(): Promise<void> }> {
  const storage = memoryStorage()
  return { storages: [storage, storage], close: async () => {} }
}

async function databaseOf(database: typeof sqlite, processes: number) {
  const first = await database.open()
  const all = [first, ...Array.from({ length: processes - 1 }, () => openAgain(first.place))]
  const close = async () => {
    for (const one of all.reverse()) await one.close()
  }
  return { storages: all.map(({ storage }): Storage => storage), close }
}

/** The two operations that accept a key, the effect of one call, and the same body with its properties in another order. */
const operations = {
  propose: {
    path: `${shop}/environments/production/change-requests`,
    body: { action: 'updateEnabled', feature: 'search', payload: { enabled: true } },
    same: { payload: { enabled: true }, feature: 'search', action: 'updateEnabled' },
    other: enable('basket'),
  },
  comment: {
    path: `${shop}/change-requests/1/comments`,
    body: { text: 'why?' },
    same: { text: 'why?' },
    other: { text: 'no' },
  },
} as const

/** How a client repeats a call; `wait` leaves time for the first one to arrive. */
const attempt = fc.record({
  how: fc.constantFrom<'sends' | 'sends twice' | 'aborts' | 'sends other'>(
    'sends',
    'sends',
    'sends twice',
    'aborts',
    'sends other',
  ),
  process: fc.nat(1),
  waits: fc.boolean(),
})

describe.each(stores)('a call that is repeated with one Idempotency-Key, on $name', ({ open, sequences }) => {
  let opened: Awaited<ReturnType<typeof open>>
  let servers: Awaited<ReturnType<typeof listen>>[]

  beforeEach(async () => {
    opened = await open()
    servers = await Promise.all(opened.storages.map((storage) => listen(openRouter(storage))))
    await ok(propose((servers[0] as (typeof servers)[0]).send))
  })
  afterEach(async () => {
    for (const { close } of servers) await close()
    await expectConsistent(opened.storages[0] as Storage)
    await opened.close()
  })

  const effects = async () => {
    const [only, ...others] = await everything(opened.storages[0] as Storage)
    const { changes = [], comments = [] } = only?.changeRequest ?? {}
    return { requests: others.length + 1, changes: changes.length, comments: comments.length }
  }

  it.each(['propose', 'comment'] as const)(`has the effect of one call: %s (SEED=${seed})`, async (name) => {
    const { path, body, same, other } = operations[name]
    let run = 0
    const property = fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 5 }), async (attempts) => {
      run += 1
      const headers = { 'idempotency-key': `${name}-${run}` }
      const before = await effects()
      const answering: Promise<Answer | null>[] = []
      const others: Promise<Answer>[] = []
      for (const { how, process, waits } of attempts) {
        const { send, abort } = servers[process % servers.length] as (typeof servers)[0]
        if (how === 'aborts') answering.push(abort(path, body, headers))
        else if (how === 'sends other') others.push(send('ann', 'POST', path, { body: other, headers }))
        else answering.push(send('ann', 'POST', path, { body, headers }))
        if (how === 'sends twice') answering.push(send('ann', 'POST', path, { body: same, headers }))
        if (waits) await Promise.all([...answering, ...others])
      }
      const answers = (await Promise.all(answering)).filter((answer) => answer !== null)
      const foreign = await Promise.all(others)
      // The body that came first has the key. The final response is the same for all who retry.
      const bodies = [...Array.from({ length: 3 }, () => body), other]
      const last: Answer[] = []
      for (const one of bodies) last.push(await ask(servers.at(-1)?.send as Send, path, one, headers))
      const done = last[0]?.status === 422 ? last[3] : last[0]
      const expected = last[0]?.status === 422 ? foreign : answers
      expect(last.map(({ status }) => status).sort()).toEqual(
        done === last[0]
          ? [done?.status, done?.status, done?.status, 422].sort()
          : [done?.status, 422, 422, 422].sort(),
      )
      for (const answer of [...expected, ...(done === last[0] ? last.slice(0, 3) : [])])
        expectSameAs(done as Answer, answer)
      const after = await effects()
      expect(after).toEqual({
        requests: 1,
        changes: before.changes + (name === 'propose' ? 1 : 0),
        comments: before.comments + (name === 'comment' ? 1 : 0),
      })
    })
    await fc.assert(property, { numRuns: sequences, seed })
  })
})

describe('two processes that get the same call with the same key concurrently', () => {
  it.each(['propose', 'comment'] as const)(
    `have one effect and one response in every order of their awaits: %s (SEED=${seed})`,
    async (name) => {
      const { path, body } = operations[name]
      const property = fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, bound) => {
        const storage = memoryStorage()
        const first = await ok(propose(inProcess(openRouter(storage)), [enable(), enable('search')]))
        const limits = { changesPerChangeRequest: 3 }
        const sends = [1, 2].map(() => inProcess(openRouter(inTurn(storage, scheduler), { limits })))
        const headers = { 'idempotency-key': 'k', ...(bound ? { 'if-match': String(first.headers.etag) } : {}) }
        const answers = await scheduler.waitFor(
          Promise.all(sends.map((send) => send('ann', 'POST', path, { body, headers }))),
        )
        const done = await inProcess(openRouter(storage))('ann', 'POST', path, { body, headers })
        expect([done.status, done.headers['idempotency-replayed']]).toEqual([name === 'propose' ? 200 : 204, 'true'])
        for (const answer of answers) expectSameAs(done, answer)
        const [only] = await everything(storage)
        expect([only?.changeRequest.changes.length, only?.changeRequest.comments.length]).toEqual(
          name === 'propose' ? [3, 0] : [2, 1],
        )
      })
      await fc.assert(property, { numRuns: runs(5), seed })
    },
  )
})

/** Either the response, or a 409 while the first call still runs. */
function expectSameAs(done: Answer, answer: Answer): void {
  if (answer.status === 409) expect([answer.name, answer.headers['retry-after']]).toEqual(['ConflictError', '1'])
  else if (answer.status !== 422) {
    expect([answer.status, answer.name, answer.headers.etag]).toEqual([done.status, undefined, done.headers.etag])
    expect(answer.body).toEqual(done.body)
  }
}

/** Retries like a client that gets Retry-After. */
async function ask(send: Send, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  for (;;) {
    const answer = await send('ann', 'POST', path, { body, headers })
    if (answer.status !== 409) return answer
    await new Promise(setImmediate)
  }
}

/** A server, with a client that disconnects as soon as its request is written. */
async function listen(router: ChangeRequestRouter) {
  const { send, close } = await overHttp(router)
  const server = createServer(express().use(router)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const abort = (path: string, body: object, headers: Record<string, string>) =>
    new Promise<null>((resolve) => {
      const sent = { authorization: people.ann.key, 'content-type': 'application/json', ...headers }
      const leaving = request({ port, host: '127.0.0.1', method: 'POST', path, headers: sent })
      leaving.on('error', () => resolve(null)).on('close', () => resolve(null))
      leaving.end(JSON.stringify(body), () => setImmediate(() => leaving.destroy()))
    })
  return {
    send,
    abort,
    async close() {
      server.closeAllConnections()
      server.close()
      await close()
      await router.close()
    },
  }
}

function inTurn(storage: Storage, scheduler: fc.Scheduler): Storage {
  return new Proxy(storage, {
    get(target, property) {
      const method: unknown = Reflect.get(target, property)
      if (typeof method !== 'function') return method
      return async (...values: unknown[]) => {
        await scheduler.schedule(Promise.resolve(), String(property))
        return method.apply(target, values)
      }
    },
  })
}
