import { memoryStorage } from '../../../src'
import { until } from '../../faults/support/server'
import { enable, people, startApp } from '../../support/app'

/** An unknown error of a driver. */
class ReplyError extends Error {
  override readonly name = 'ReplyError'
  readonly code: string

  constructor(code: string) {
    super(`${code} secret`)
    this.code = code
  }
}

describe('a database that is away for a time', () => {
  it('is logged once when it is lost and once when it is back, not per request, read or poll', async () => {
    const memory = memoryStorage()
    let isAway = true
    const lines: unknown[] = []
    const log = (level: string) => (facts: object, text: string) => void lines.push([level, text, facts])
    const logger = { debug: () => undefined, info: log('info'), warn: log('warn'), error: log('error') }
    const call =
      <Args extends unknown[], Value>(method: (...args: Args) => Promise<Value>) =>
      (...args: Args) =>
        isAway ? Promise.reject(new ReplyError('NR_CLOSED')) : method(...args)
    const app = await startApp({
      storage: {
        ...memory,
        commit: call(memory.commit),
        appendEvents: call(memory.appendEvents),
        eventHead: call(memory.eventHead),
        due: call(memory.due),
        interrupted: call(memory.interrupted),
        consumers: { ...memory.consumers, list: call(memory.consumers?.list as never) } as never,
        health: async () => ({ ...(await memory.health()), reachable: !isAway }),
        failureOf: (error) => ((error as ReplyError).code === 'NR_CLOSED' ? 'unreachable' : undefined),
      },
      schedule: 'here',
      limits: { schedulePollMs: 10 },
      logger,
    })
    try {
      app.router.events.consume({ name: 'audit', handle: async () => undefined })
      app.router.start()
      const following = app.router.events.follow()[Symbol.asyncIterator]()
      const next = following.next()
      for (let count = 0; count < 3; count += 1) {
        expect([(await app.propose(enable())).status, (await app.events()).status]).toEqual([503, 503])
      }
      await expect(app.router.events.record({ type: 'feature-archived' })).rejects.toThrow('may have been recorded')
      expect(lines).toEqual([
        ['warn', 'The database is unreachable. Requests get 503 until it is back.', { err: expect.any(ReplyError) }],
      ])
      isAway = false
      await until(() => lines.length > 1)
      expect(lines.slice(1)).toEqual([['warn', 'The database is back.', { awayMs: expect.any(Number) }]])
      await until(async () => (await app.router.health()).consumers.items[0]?.state === 'running')
      await app.router.events.record({ type: 'feature-archived' })
      expect((await next).value).toMatchObject({ type: 'feature-archived' })
      expect(lines).toHaveLength(2)
    } finally {
      await app.close()
    }
  })
})

describe('a storage that fails while a list is sent', () => {
  /** The warnings and errors in the log when a page fails in the middle of a list. */
  async function entriesWhen(leaves: boolean): Promise<string[]> {
    const memory = memoryStorage()
    const lines: string[] = []
    const add = (level: string) => (_: object, text: string) => void lines.push(`${level} ${text}`)
    let fail = () => {}
    const failed = new Promise<never>((_, reject) => {
      fail = () => reject(new Error('write EPIPE'))
    })
    let isAsked = false
    const lastPage = () => {
      isAsked = true
      return failed
    }
    const app = await startApp({
      storage: {
        ...memory,
        eventPage: (filter, cursor, ...rest) =>
          'before' in cursor && cursor.before < 700 ? lastPage() : memory.eventPage(filter, cursor, ...rest),
      },
      logger: { debug: () => undefined, info: add('info'), warn: add('warn'), error: add('error') },
    })
    await app.router.events.record(Array.from({ length: 800 }, () => ({ type: 'feature-updated', project: 'shop' })))
    const left = new Promise<void>((resolve) => {
      app.server.once('request', (_req, res) => res.on('close', () => resolve()))
    })
    const leaving = new AbortController()
    const url = `http://127.0.0.1:${app.port}/api/admin/events?project=shop`
    const headers = { Authorization: people.ann.key }
    const answer = await fetch(url, { headers, signal: leaving.signal })
    const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    for (let text = ''; !text.includes('"id":201,'); ) text += (await reader.read()).value
    // Another request gives the first one the time to wait for its last page.
    await (await fetch(url, { method: 'HEAD', headers })).text()
    await until(() => isAsked)
    if (leaves) {
      leaving.abort()
      await left
    }
    fail()
    await reader.read().catch(() => undefined)
    await left
    await app.close()
    return lines
  }

  it('is an error for a client that is there, and none for a client that went away', async () => {
    const text = 'error A response failed after its headers were sent; its connection is closed.'
    expect([await entriesWhen(false), await entriesWhen(true)]).toEqual([[text], []])
  })
})
