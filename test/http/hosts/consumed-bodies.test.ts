import { once } from 'node:events'
import { request } from 'node:http'
import type { RequestHandler } from 'express'
import { version } from 'express/package.json'
import { memoryStorage } from '../../../src'
import { changeRequestsPath, people, startApp, type TestApp } from '../../support/app'
import { type ExpressModule, hosts, oneChange } from './host-apps'

/** Reads the whole body and leaves this in `req.body`. */
const reads =
  (leave: (text: string) => unknown = () => undefined): RequestHandler =>
  (req, _res, next) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const left = text === '' ? undefined : leave(text)
      if (left !== undefined) req.body = left
      next()
    })
  }

/** Reads one byte, and leaves the rest. */
const readsFirstByte: RequestHandler = (req, _res, next) => {
  req.once('readable', () => {
    req.read(1)
    next()
  })
}

const readsFirstChunk: RequestHandler = (req, _res, next) => {
  const once = () => {
    req.off('data', once).off('end', once)
    next()
  }
  req.on('data', once).on('end', once)
}

/** A handler that reads the body of every request, and what the router answers to a change. */
const handlers: readonly {
  readonly what: string
  readonly status: number
  readonly make: (express: ExpressModule) => RequestHandler[]
  /** In chunks, what is left could be what the client sent. */
  readonly onlyWithLength?: true
}[] = [
  { what: 'sets no body', status: 500, make: () => [reads()] },
  { what: 'sets null', status: 500, make: () => [reads(() => null)], onlyWithLength: true },
  { what: 'sets a text', status: 500, make: () => [reads((text) => text)] },
  { what: 'sets a Buffer', status: 500, make: () => [reads((text) => Buffer.from(text))] },
  { what: 'sets bytes', status: 500, make: () => [reads((text) => new Uint8Array(Buffer.from(text)))] },
  { what: 'sets a Map', status: 500, make: () => [reads((text) => new Map(Object.entries(JSON.parse(text))))] },
  { what: 'reads one byte', status: 500, make: () => [readsFirstByte] },
  { what: 'reads the first chunk', status: 500, make: () => [readsFirstChunk] },
  {
    what: 'discards the body',
    status: 500,
    make: () => [(req, _res, next) => void req.resume().once('end', () => next())],
  },
  {
    what: 'leaves the {} of a form parser',
    status: 500,
    make: ({ urlencoded }) => [urlencoded({ extended: true }), reads()],
    onlyWithLength: true,
  },
  { what: 'sets the parsed JSON', status: 200, make: () => [reads((text) => JSON.parse(text))] },
  { what: 'parses forms', status: 200, make: ({ urlencoded }) => [urlencoded({ extended: true })] },
  { what: 'parses JSON', status: 200, make: ({ json }) => [json()] },
]

describe.each(hosts)(`a router of Express ${version} behind a handler of $host`, ({ module }) => {
  const errors: object[] = []
  let app: TestApp

  async function start(make: (typeof handlers)[number]['make']) {
    const error = (facts: object) => void errors.push(facts)
    app = await startApp(
      { storage: memoryStorage(), logger: { debug() {}, info() {}, warn() {}, error } },
      { app: module(), before: (host) => void host.use(...make(module)) },
    )
  }

  /** With a Content-Length, or in chunks. */
  async function send(method: string, path: string, body?: string, chunked = false) {
    const headers = { Authorization: people.ann.key, 'Content-Type': 'application/json' }
    const sent = chunked ? { body: new Blob(body === undefined ? [] : [body]).stream(), duplex: 'half' } : { body }
    const response = await fetch(`http://127.0.0.1:${app.port}${path}`, { method, headers, ...sent } as RequestInit)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  beforeEach(() => {
    errors.length = 0
  })

  afterEach(() => app.close())

  const changes = changeRequestsPath()

  it.each(handlers)(
    'that $what returns $status for a change, 400 without a body, and is left alone by routes without a body',
    async ({ status, make, onlyWithLength }) => {
      await start(make)
      for (const chunked of onlyWithLength ? [false] : [false, true]) {
        const answer = await send('POST', changes, oneChange, chunked)
        expect([answer.status, answer.body?.name]).toEqual([status, status === 500 ? 'UnknownError' : undefined])
        if (status === 500) expect(answer.body.message).toMatch(/^The app read the body before the router/)
        expect(errors.splice(0)).toEqual(status === 500 ? [expect.objectContaining({ id: answer.body.id })] : [])
      }
      for (const chunked of [false, true]) expect((await send('POST', changes, undefined, chunked)).status).toBe(400)
      expect((await send('DELETE', '/api/admin/projects/shop/change-requests/9', oneChange)).status).toBe(404)
      expect((await send('POST', '/api/admin/consumers/mail/retry', oneChange)).body.name).toBe('NotFoundError')
      expect(errors).toEqual([])
    },
  )

  it('that parses JSON returns 400 for what is no change, however long', async () => {
    await start(({ json }) => [json({ strict: false })])
    for (const body of ['{}', '{\n}', 'null', '1', '[]']) {
      expect([body, (await send('POST', changes, body)).status]).toEqual([body, 400])
    }
    expect(errors).toEqual([])
  })

  it('has its own limits if it stands before the parsers of the app', async () => {
    app = await startApp(
      { storage: memoryStorage(), limits: { bodyBytes: 50 } },
      { app: module(), after: (host) => void host.use(module.json()) },
    )
    expect((await send('POST', changes, oneChange)).status).toBe(413)
  })

  it('changes nothing for a body that the client never finishes, and serves others', async () => {
    app = await startApp({ storage: memoryStorage() }, { app: module() })
    const headers = { Authorization: people.ann.key, 'Content-Type': 'application/json', 'Content-Length': '1000' }
    const cut = request({ port: app.port, host: '127.0.0.1', method: 'POST', path: changes, headers })
    cut.on('error', () => undefined)
    cut.write(oneChange)
    await once(app.server, 'request')
    cut.destroy()
    expect((await send('POST', changes, oneChange)).body.id).toBe(1)
    expect((await app.events()).body.totalEvents).toBe(2)
  })
})
