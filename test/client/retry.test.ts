import type { ClientError } from '../../src/client'
import { startProxy, type TcpProxy } from '../faults/support/proxy'
import { until } from '../faults/support/server'
import { longTimeoutMs } from '../support/databases/long-timeouts'
import { enabled, type Fixture, inReview, openFixture, production } from './support/fixture'

const [admin, reviewer] = ['key-of-ann-0123456789', 'key-of-rae-0123456789']
const writes = /^(POST|PUT) /
let fixture: Fixture
let proxy: TcpProxy
let sent: string[]

beforeEach(async () => {
  fixture = await openFixture()
  proxy = await startProxy(new URL(`http://127.0.0.1:${fixture.app.port}`))
  sent = []
})
afterEach(async () => {
  proxy.close()
  await fixture.app.close()
})

/** A client behind the proxy. */
function behindProxy(maxRetryMs?: number, key = reviewer) {
  return fixture.client({
    api: new URL('/api/admin', proxy.url).href,
    key,
    ...(maxRetryMs !== undefined && { maxRetryMs }),
    fetch: (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname.split('/').at(-1)}`)
      return fetch(url, init)
    },
  })
}

const sentWrites = () => sent.filter((line) => writes.test(line))

async function rejection(call: Promise<unknown>): Promise<ClientError> {
  return call.then(
    () => Promise.reject(new Error('It was not rejected.')),
    (error) => error,
  )
}

const lost = { status: 0, name: 'NetworkError' }

describe('maxRetryMs: a call whose answer is lost', () => {
  it('is repeated if it reads', async () => {
    proxy.resetAtAnswer()
    expect((await behindProxy(longTimeoutMs).me()).body.id).toBe(7)
    proxy.resetAtAnswer()
    expect((await behindProxy(longTimeoutMs).searchEvents()).body.total).toBe(0)
    expect(sent).toEqual(['GET me', 'GET me', 'GET events', 'GET events'])
  })

  it('is repeated with its key if it has one, and is executed once', async () => {
    const place = await inReview(fixture)
    proxy.resetAtAnswer()
    await behindProxy(longTimeoutMs).comment(place, { text: 'Fine.' }, { idempotencyKey: 'one' })
    expect(sentWrites()).toEqual(['POST comments', 'POST comments'])
    expect((await fixture.rae.changeRequest(place)).body.comments).toHaveLength(1)
  })

  it('is repeated with its key if a proxy returns another success than the router, and is executed once', async () => {
    const place = await inReview(fixture)
    const sent: string[] = []
    const client = fixture.client({
      key: reviewer,
      maxRetryMs: longTimeoutMs,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        return sent.push(url) === 1 ? new Response() : response
      },
    })
    await client.comment(place, { text: 'Fine.' }, { idempotencyKey: 'one' })
    expect(sent).toHaveLength(2)
    expect((await fixture.rae.changeRequest(place)).body.comments).toHaveLength(1)
  })

  it('is not repeated if it writes without a key or revision', async () => {
    const place = await inReview(fixture)
    const client = behindProxy(longTimeoutMs)
    proxy.resetAtAnswer()
    expect(await rejection(client.comment(place, { text: 'Fine.' }))).toMatchObject(lost)
    proxy.resetAtAnswer()
    expect(await rejection(client.setState(place, { state: 'Approved' }))).toMatchObject(lost)
    expect(sent).toEqual(['POST comments', 'PUT state'])
  })

  it('is not repeated without the option, or after its end', async () => {
    proxy.resetAtAnswer()
    expect(await rejection(behindProxy().me())).toMatchObject(lost)
    proxy.resetAtAnswer()
    expect(await rejection(behindProxy(1).me())).toMatchObject(lost)
    expect(sent).toEqual(['GET me', 'GET me'])
  })

  it('ends when its signal aborts', async () => {
    proxy.pointAt(new URL('http://127.0.0.1:1'))
    const leaving = new AbortController()
    const call = rejection(behindProxy(longTimeoutMs).me({}, { signal: leaving.signal }))
    await until(() => sent.length > 1)
    leaving.abort(new Error('enough'))
    expect((await call).message).toBe('enough')
  })
})

describe('maxRetryMs: a decision whose answer is lost', () => {
  it.each([
    ['Approved', reviewer],
    ['Rejected', reviewer],
    ['Applied', admin],
  ] as const)('is found by a read, and not sent again: %s', async (state, key) => {
    const place = await inReview(fixture)
    if (state === 'Applied') await fixture.rae.setState(place, { state: 'Approved' })
    const { body: review } = await fixture.rae.review(place)
    const client = behindProxy(longTimeoutMs, key)
    proxy.resetAtAnswer()
    const { body } = await client.setState(place, { state, digest: review.digest ?? '' }, { ifMatch: review.revision })
    expect(body.state).toBe(state)
    expect(sentWrites()).toEqual(['PUT state'])
    expect(sent).toHaveLength(3)
  })

  it('is sent again if it was not stored', async () => {
    const place = await inReview(fixture)
    const { body: review } = await fixture.rae.review(place)
    proxy.pointAt(new URL('http://127.0.0.1:1'))
    const call = behindProxy(longTimeoutMs).setState(place, { state: 'Approved' }, { ifMatch: review.revision })
    await until(() => proxy.connections() > 0)
    proxy.pointAt(new URL(`http://127.0.0.1:${fixture.app.port}`))
    expect((await call).body.approvals).toHaveLength(1)
    expect(sentWrites()).toEqual(['PUT state', 'PUT state'])
  })

  it('is rejected if another user changed the change request in the meantime', async () => {
    const place = await inReview(fixture)
    const { body: review } = await fixture.rae.review(place)
    proxy.pointAt(new URL('http://127.0.0.1:1'))
    const call = rejection(
      behindProxy(longTimeoutMs).setState(place, { state: 'Approved' }, { ifMatch: review.revision }),
    )
    await until(() => proxy.connections() > 0)
    await fixture.ann.propose(production, enabled('search'))
    proxy.pointAt(new URL(`http://127.0.0.1:${fixture.app.port}`))
    expect((await call).status).toBe(412)
    expect((await fixture.rae.changeRequest(place)).body.approvals).toEqual([])
  })
})
