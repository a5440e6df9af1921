import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import compression from 'compression'
import supertest from 'supertest'
import { memoryStorage, type RecordedEvent, type Storage } from '../../../src'
import { eventFingerprint } from '../../../src/ports/storage/events'
import { until } from '../../faults/support/server'
import { enable, people, startApp, type TestApp } from '../../support/app'
import { numberOf, openSource, type Source } from '../../support/events/event-source'

const ann = { Authorization: people.ann.key }
/** Longer than a test, so nothing that arrives earlier comes from a poll. */
const never = 2 ** 31 - 1

const open: Source[] = []

async function follow(app: TestApp, path = '/events', headers: Record<string, string> = {}): Promise<Source> {
  const source = await openSource(`http://127.0.0.1:${app.port}/api/admin${path}`, { headers: { ...ann, ...headers } })
  open.push(source)
  return source
}

afterEach(() => {
  for (const source of open.splice(0)) source.leave()
})

function event(n: number, more: Partial<RecordedEvent> = {}): RecordedEvent {
  return { type: 'feature-updated', project: 'shop', data: { n }, ...more } as RecordedEvent
}

const ids = ({ messages }: Source) => messages.map(({ lastEventId }) => numberOf(lastEventId))
const seen = ({ messages }: Source) => messages.map(({ data }) => JSON.parse(data).data.n)

describe('GET /api/admin/events with Accept: text/event-stream', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await startApp({ storage: memoryStorage(), limits: { followPollMs: never } })
    await app.router.events.record([event(1), event(2, { project: 'blog' }), event(3, { featureName: 'checkout' })])
  })

  afterAll(() => app.close())

  it('sends new events as messages with the JSON of the list and the id', async () => {
    const source = await follow(app)
    await app.router.events.record(event(4, { data: { n: 4, text: 'zwei\nZeilen, \u2028 und Ä' } }))
    await until(() => source.messages.length === 1)
    const [listed] = (await app.events('')).body.events
    const { id, ...stored } = listed
    const lastEventId = `${id}-${eventFingerprint(JSON.stringify(stored))}`
    expect(source.messages).toEqual([{ type: 'message', lastEventId, data: JSON.stringify(listed) }])
  })

  it('also sends events of change requests at their commit', async () => {
    const source = await follow(app, '/events?project=shop')
    await app.propose(enable('checkout')).expect(200)
    await until(() => source.messages.length === 2)
    expect(source.messages.map(({ data }) => JSON.parse(data).type)).toEqual(['change-request-created', 'change-added'])
  })

  it('sends its position and the retry interval immediately', async () => {
    const source = await follow(app)
    await until(() => source.lastEventId() !== '')
    const [newest] = (await app.events()).body.events
    expect([numberOf(source.lastEventId()), source.retry(), source.messages]).toEqual([newest.id, 1000, []])
    expect(source.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      vary: 'Authorization, Accept',
    })
    expect(source.headers).not.toHaveProperty('content-length')
    // Its pieces have no frames: a follower costs one write.
    expect(source.headers).not.toHaveProperty('transfer-encoding')
  })

  it.each([
    ['from the beginning with Last-Event-ID: 0', '/events', { 'Last-Event-ID': '0' }, [1, 2, 3]],
    ['behind Last-Event-ID', '/events', { 'Last-Event-ID': '1' }, [2, 3]],
    ['behind the parameter after', '/events?after=2', {}, [3]],
    ['behind Last-Event-ID where both are given', '/events?after=0', { 'Last-Event-ID': '2' }, [3]],
    ['in a project', '/events?project=shop', { 'Last-Event-ID': '0' }, [1, 3]],
    ['of a flag', '/events/checkout', { 'Last-Event-ID': '0' }, [3]],
    ['of a search', '/search/events?type=IS:feature-updated&project=IS:blog', { 'Last-Event-ID': '0' }, [2]],
    ['of a search for a text', '/search/events?query=%22n%22:3', { 'Last-Event-ID': '0' }, [3]],
  ])('continues %s', async (_where, path, headers, expected) => {
    const source = await follow(app, path, headers as Record<string, string>)
    await until(() => source.messages.length >= expected.length)
    expect(seen(source).slice(0, expected.length)).toEqual(expected)
  })

  it('sends more than a page of past events, each once, and then new ones', async () => {
    const before = ids(await whole(app))
    await app.router.events.record(Array.from({ length: 1200 }, (_, n) => event(n, { project: 'large' })))
    const source = await follow(app, '/events', { 'Last-Event-ID': '0' })
    await app.router.events.record(event(1200, { project: 'large' }))
    await until(() => source.messages.length >= before.length + 1201)
    expect(ids(source)).toEqual([...new Set(ids(source))].sort((one, other) => one - other))
    expect(seen(source).slice(before.length)).toEqual(Array.from({ length: 1201 }, (_, n) => n))
  })

  /** All events. */
  async function whole(from: TestApp): Promise<Source> {
    const source = await follow(from, '/events', { 'Last-Event-ID': '0' })
    const total = (await from.events()).body.totalEvents
    await until(() => source.messages.length === total)
    return source
  }
})

describe('a follower of the log', () => {
  let app: TestApp
  let storage: Storage
  const limits = { followPollMs: never, heartbeatMs: 50 }

  beforeEach(() => {
    storage = memoryStorage()
  })

  afterEach(() => app.close())

  it('is ended by router.close(), so that the server can close', async () => {
    app = await startApp({ storage, limits })
    await app.router.events.record(event(1))
    const source = await follow(app, '/events?project=blog', { 'Last-Event-ID': '0' })
    await until(() => numberOf(source.lastEventId()) === 1)
    const closed = once(app.server, 'close')
    app.server.close()
    await app.router.close()
    await source.ended
    await closed
    app = await startApp({ storage })
  })

  it('is disconnected when it reads nothing for limits.streamTimeoutMs', async () => {
    app = await startApp({ storage, limits: { ...limits, streamTimeoutMs: 100 } })
    const filler = 'x'.repeat(4000)
    await app.router.events.record(Array.from({ length: 4000 }, (_, n) => event(n, { data: { n, filler } })))
    const source = await follow(app, '/events', { 'Last-Event-ID': '0' })
    source.response.pause()
    const connections = () =>
      new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
    await until(async () => (await connections()) === 0)
    source.response.resume()
    await source.ended
  })

  it('does not hold others when it is slow, holds few bytes, and gets every event in order later', async () => {
    const responses: ServerResponse[] = []
    const keep = (_req: unknown, res: ServerResponse, next: () => void) => {
      responses.push(res)
      next()
    }
    app = await startApp({ storage, limits }, { before: (host) => host.use('/api/admin/events', keep as never) })
    const [slow, fast] = [await follow(app), await follow(app)]
    slow.response.pause()
    const filler = 'x'.repeat(80_000)
    const total = 150
    let maxHeld = 0
    for (let n = 1; n <= total; n += 1) {
      await app.router.events.record(event(n, { data: { n, filler } }))
      await until(() => fast.messages.length === n)
      maxHeld = Math.max(maxHeld, responses[0]?.writableLength ?? 0)
    }
    // One event is written when the buffer of the socket is full.
    expect(maxHeld).toBeGreaterThan(filler.length / 2)
    expect(maxHeld).toBeLessThan(filler.length * 2)
    slow.response.resume()
    await until(() => slow.messages.length === total)

    expect([seen(slow), seen(fast)].map((all) => all.every((n, index) => n === index + 1))).toEqual([true, true])
  })

  it('gets events immediately, also with compression', async () => {
    app = await startApp(
      { storage, limits: { ...limits, heartbeatMs: never } },
      { before: (host) => host.use(compression({ threshold: 0 })) },
    )
    const packed = await fetch(`http://127.0.0.1:${app.port}/api/admin/events`, {
      headers: { ...ann, Accept: 'text/event-stream' },
    })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const reader = (packed.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    await app.router.events.record(event(1))
    while (!text.includes('data: ')) text += (await reader.read()).value
    expect(text).toMatch(/^retry: 1000\nid: 0\n\nid: 1-[0-9a-f]{8}\ndata: \{"id":1,.*\}\n\n$/)
    await reader.cancel()
  })

  it('writes to the response if the host app has wrapped it', async () => {
    const written: string[] = []
    const wrap = (_req: unknown, res: ServerResponse, next: () => void) => {
      const write = res.write.bind(res) as (bytes: Uint8Array) => boolean
      res.write = (bytes: Uint8Array) => {
        written.push(Buffer.from(bytes).toString())
        return write(bytes)
      }
      next()
    }
    app = await startApp({ storage, limits }, { before: (host) => host.use('/api/admin/events', wrap as never) })
    const source = await follow(app)
    await app.router.events.record(event(1))
    await until(() => source.messages.length === 1)
    expect(written.join('')).toContain('"n":1')
  })

  it('follows a response that was requested before on the same connection', async () => {
    let earlier: ServerResponse | undefined
    const keep = (_req: unknown, res: ServerResponse) => {
      earlier = res
    }
    app = await startApp(
      { storage, limits: { ...limits, heartbeatMs: never } },
      { before: (host) => host.use('/earlier', keep as never) },
    )
    const socket = connect(app.port, '127.0.0.1')
    const heads = ['/earlier', '/api/admin/events'].map(
      (path) =>
        `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${ann.Authorization}\r\nAccept: text/event-stream\r\n\r\n`,
    )
    socket.write(heads.join(''))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    await until(() => earlier !== undefined)
    await app.router.events.record(event(1))
    earlier?.end('first')
    await until(() => text.includes('retry: 1000'))
    await app.router.events.record(event(2))
    await until(() => text.includes('"n":2'))
    expect(text).toMatch(/first[\s\S]*HTTP\/1\.1 200 OK[\s\S]*retry: 1000\nid: /)
    socket.destroy()
  })
})

describe('the client in the guide to the event log', () => {
  it('gets each event once, also after a reconnect', async () => {
    const guide = readFileSync(join(__dirname, '../../../docs/event-log.md'), 'utf8')
    const [code = ''] = /^async function follow\([\s\S]*?^}\n/m.exec(guide) ?? []
    const client = runInThisContext(`(${code})`) as (...args: unknown[]) => Promise<void>
    const app = await startApp({ storage: memoryStorage(), limits: { followMs: 200 } })
    const found: unknown[] = []
    try {
      await app.router.events.record([event(1), event(2)])
      const url = `http://127.0.0.1:${app.port}/api/admin/events`
      const stopped = client(url, people.ann.key, ({ data }: { data: { n: number } }) => found.push(data.n), '0')
      await until(() => found.length === 2)
      await once(app.server, 'request')
      await app.router.events.record(event(3))
      await until(() => found.length === 3)
      await expect(client(url, 'nobody', () => undefined)).rejects.toThrow('UnauthorizedError')
      app.server.removeAllListeners('request')
      app.server.on('request', (_req, res: ServerResponse) => res.writeHead(400).end('enough'))
      await expect(stopped).rejects.toThrow('enough')
    } finally {
      await app.close()
    }
    expect(found).toEqual([1, 2, 3])
  })
})

describe('GET /api/admin/events with Accept: text/event-stream responds like other requests', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await startApp({ storage: memoryStorage() })
    await app.router.events.record(event(1))
  })

  afterAll(() => app.close())

  const ask = (method: 'get' | 'head', path: string, headers: Record<string, string> = {}) =>
    supertest(app.server)
      [method](`/api/admin${path}`)
      .set({ ...ann, Accept: 'text/event-stream', ...headers })

  it('HEAD with only the head', async () => {
    const answer = await ask('head', '/events').expect(200)
    expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' })
  })

  it('with the list to a client that prefers JSON', async () => {
    const answer = await ask('get', '/events', { Accept: 'text/event-stream;q=0.5, application/json' }).expect(200)
    expect(answer.body.totalEvents).toBe(1)
  })

  it('with 503 once the router is closed', async () => {
    const closing = await startApp({ storage: memoryStorage() })
    await closing.router.close()
    const answer = await closing.events('', { headers: { Accept: 'text/event-stream' } })
    expect([answer.status, answer.body.name, answer.headers['retry-after']]).toEqual([503, 'UnavailableError', '1'])
    await closing.close()
  })

  it.each([
    ['/events', { Authorization: '' }, 401, 'UnauthorizedError'],
    ['/events', { Authorization: people.eve.key }, 403, 'PermissionError'],
    ['/search/events?project=IS:shop', { Authorization: people.eve.key }, 403, 'PermissionError'],
    ['/events', { 'Last-Event-ID': 'x' }, 400, 'BadDataError'],
    ['/events?after=x', {}, 400, 'BadDataError'],
    ['/events?before=1', {}, 400, 'BadDataError'],
    ['/search/events?type=feature', {}, 400, 'BadDataError'],
  ])('%s with %j: %i', async (path, headers, status, name) => {
    const answer = await ask('get', path, headers as Record<string, string>)
    expect([answer.status, answer.body.name]).toEqual([status, name])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })
})
