import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ClientError, createClient } from '../../src/client'
import { enabled, type Fixture, inReview, openFixture, production } from './support/fixture'

const servers: (() => void)[] = []
afterAll(() => {
  for (const close of servers) close()
})

/** A client of another server. */
async function clientOf(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(() => server.close() && server.closeAllConnections())
  return createClient({ api: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

async function refusal(call: Promise<unknown>): Promise<ClientError> {
  return call.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error) => error,
  )
}

describe('a rejection of the router', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture()
  })
  afterAll(() => fixture.app.close())

  it('has the status, the name, the sentences with their codes, and the id in the log', async () => {
    const place = await inReview(fixture)
    const error = await refusal(fixture.ann.setState(place, { state: 'Approved' }))
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({
      status: 403,
      name: 'OperationDeniedError',
      details: [{ code: 'own-change-request', message: expect.any(String) }],
      id: expect.stringMatching(/^[\w-]{36}$/),
      isTemporary: false,
    })
    expect(error.message).not.toBe('')
  })

  it('names the permissions that are missing', async () => {
    const error = await refusal(fixture.eve.propose(production, enabled()))
    expect(error).toMatchObject({ status: 403, permissions: ['CREATE_CHANGE_REQUEST'] })
  })

  it('is 412 for a write on another revision, which stores nothing', async () => {
    const { body } = await fixture.ann.propose({ ...production, project: 'blog' }, enabled())
    const place = { project: 'blog', id: body.id }
    const error = await refusal(fixture.ann.setTitle(place, 'New', { ifMatch: `${body.id}-999` }))
    expect(error.status).toBe(412)
    expect((await fixture.ann.changeRequest(place)).body.title).toBe(body.title)
  })

  it('is 401 without a key', async () => {
    expect(await refusal(fixture.client().me())).toMatchObject({ status: 401, name: 'AuthenticationRequired' })
  })
})

describe('a response that is not from the router', () => {
  it('is a temporary NetworkError without a response', async () => {
    const error = await refusal(createClient({ api: 'http://127.0.0.1:1' }).me())
    expect(error).toMatchObject({ status: 0, name: 'NetworkError', isTemporary: true })
  })

  it('is a NetworkError if the response is cut off', async () => {
    const client = await clientOf((_req, res) => {
      res.writeHead(200, { 'Content-Length': '100' }).write('{"id":')
      setImmediate(() => res.destroy())
    })
    expect(await refusal(client.me())).toMatchObject({ status: 0, name: 'NetworkError' })
  })

  it('is an HttpError with the Retry-After of a proxy', async () => {
    const client = await clientOf((_req, res) => res.writeHead(503, { 'Retry-After': '7' }).end('<h1>Busy</h1>'))
    expect(await refusal(client.me())).toMatchObject({
      status: 503,
      name: 'HttpError',
      retryAfter: 7,
      isTemporary: true,
    })
  })

  it.each([
    [200, { 'Content-Type': 'text/html; charset=utf-8' }, 'returned an HTML page'],
    [200, { 'Content-Type': 'Text/HTML' }, 'returned an HTML page'],
    [302, { Location: 'https://login.example/start?state=secret' }, 'was redirected to https://login.example/start,'],
    [308, { Location: '/api/admin/me/' }, 'was redirected to /api/admin/me/,'],
  ])('is SignInRequired for what a sign-in proxy sends: %d %j', async (status, headers, what) => {
    let requests = 0
    const client = await clientOf((_req, res) => res.writeHead(status, headers).end(`<h1>Sign in ${++requests}</h1>`))
    const place = { project: 'shop', id: 42 }
    const events = client.follow({}, { retryMs: 1 })
    for (const call of [
      () => client.me(),
      () => client.setState(place, { state: 'Approved' }),
      () => client.discard(place),
      () => client.exportEvents({}, { format: 'csv' }),
      () => client.exportChangeRequests({}),
      () => events.next(),
    ]) {
      const error = await refusal(call())
      expect(error).toMatchObject({ status, name: 'SignInRequired', isTemporary: false })
      expect(error.message).toContain(what)
      expect(error.message).not.toContain('secret')
    }
    expect(requests).toBe(6)
  })

  it('is SignInRequired for a redirect that a browser hides', async () => {
    const hidden = { type: 'opaqueredirect', status: 0, ok: false, url: '/api/admin/me', headers: new Headers() }
    let redirect: unknown
    const client = createClient({
      api: '/api/admin',
      fetch: async (_url, init) => {
        redirect = init.redirect
        return hidden as Response
      },
    })
    expect(await refusal(client.me())).toMatchObject({ status: 0, name: 'SignInRequired', isTemporary: false })
    expect(redirect).toBe('manual')
  })

  it('is the abort reason of the caller', async () => {
    const client = await clientOf(() => undefined)
    const signal = AbortSignal.abort(new Error('enough'))
    expect(await refusal(client.me({}, { signal }))).toMatchObject({ message: 'enough' })
  })
})

describe('createClient(options)', () => {
  it('sends custom headers, computed for each request, with a custom fetch', async () => {
    let requests = 0
    const sent: [string, RequestInit][] = []
    const client = createClient({
      api: '/api/admin/',
      headers: () => ({ 'X-Request': String(++requests) }),
      credentials: 'omit',
      fetch: async (url, init) => {
        sent.push([url, init])
        return Response.json({ reviews: [], next: null })
      },
    })
    await client.reviews({ needs: 'me', project: 'a&b', cursor: undefined })
    await client.reviews()
    expect(sent).toMatchObject([
      ['/api/admin/reviews?needs=me&project=a%26b', { headers: { 'X-Request': '1' }, credentials: 'omit' }],
      ['/api/admin/reviews', { headers: { 'X-Request': '2' } }],
    ])
  })

  it.each([
    ['42-7', '"42-7"'],
    ['"42-7"', '"42-7"'],
    // A proxy that compresses makes the tag of a response weak.
    ['W/"42-7"', '"42-7"'],
    ['*', '*'],
  ])('sends a revision as a strong entity tag: %s', async (ifMatch, expected) => {
    const sent: unknown[] = []
    const client = createClient({
      api: '',
      fetch: async (_url, { headers }) => {
        sent.push((headers as Record<string, string>)['If-Match'])
        return new Response(null, { status: 204, headers: { ETag: 'W/"42-8"' } })
      },
    })
    await client.setTitle({ project: 'shop', id: 42 }, 'New', { ifMatch })
    expect(sent).toEqual([expected])
  })

  it('encodes names with special characters of URLs', async () => {
    const urls: string[] = []
    const client = createClient({
      api: '',
      fetch: async (url) => {
        urls.push(url)
        return Response.json({ rules: [] })
      },
    })
    await client.rules('a/b?#', '../é%2F')
    expect(urls).toEqual(['/projects/a%2Fb%3F%23/environments/..%2F%C3%A9%252F/change-requests/rules'])
  })
})
