import { ClientError, createClient, type EventView } from '../../src/client'
import { type Fixture, openFixture } from './support/fixture'

const event = (n: number, project = 'shop') => ({ type: 'feature-updated' as const, project, data: { n } })
const number = ({ data }: EventView) => (data as { n: number }).n

/** A client whose answers are these, one after the other; the last one stays open. */
function scripted(answers: (() => Response)[]) {
  const sent: Record<string, string>[] = []
  const client = createClient({
    api: '',
    fetch: async (_url, init) => {
      sent.push(init.headers as Record<string, string>)
      const answer = answers.shift()
      if (answer === undefined) throw new TypeError('out of reach')
      return answer()
    },
  })
  return { client, sent }
}

const isStream = { headers: { 'Content-Type': 'text/event-stream' } }
const stream = (...pieces: string[]) => new Response(new Blob(pieces).stream(), isStream)
const block = (n: number) => `id: ${n}\ndata: {"id":${n},"data":{"n":${n}}}\n\n`

async function take(events: AsyncIterable<EventView>, count: number): Promise<EventView[]> {
  const taken: EventView[] = []
  for await (const each of events) if (taken.push(each) === count) break
  return taken
}

describe('durations', () => {
  it.each([Number.NaN, -1, '5'])('rejects %p', async (value) => {
    const ms = value as number
    const message = `must be a number of milliseconds from 0, got ${value}.`
    expect(() => createClient({ api: '', maxRetryMs: ms })).toThrow(new TypeError(`maxRetryMs ${message}`))
    const { client } = scripted([() => stream(block(1))])
    await expect(take(client.follow({}, { retryMs: ms }), 1)).rejects.toThrow(new TypeError(`retryMs ${message}`))
    await expect(take(client.follow({}, { silenceMs: ms }), 1)).rejects.toThrow(new TypeError(`silenceMs ${message}`))
  })
})

describe('client.follow(filter, options)', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture()
    await fixture.app.router.events.record([event(1), event(2, 'blog'), event(3)])
  })
  afterAll(() => fixture.app.close())

  it('begins after an id, and continues with new events', async () => {
    const events = fixture.ann.follow({ project: 'shop' }, { lastEventId: 0 })
    const iterator = events[Symbol.asyncIterator]()
    const next = async () => number((await iterator.next()).value as EventView)
    expect([await next(), await next()]).toEqual([1, 3])
    await fixture.app.router.events.record([event(4, 'blog'), event(5)])
    expect(await next()).toBe(5)
    await iterator.return?.()
  })

  it('begins with the next event, and reports when it is open', async () => {
    const leaving = new AbortController()
    const onStatus = (status: string) => {
      if (status === 'open') void fixture.app.router.events.record(event(6))
    }
    const seen: number[] = []
    for await (const each of fixture.ann.follow({}, { onStatus, signal: leaving.signal })) {
      seen.push(number(each))
      leaving.abort()
    }
    expect(seen).toEqual([6])
  })

  it('ends with the rejection if a retry would not help', async () => {
    const events = fixture.client().follow()
    await expect(take(events, 1)).rejects.toMatchObject({ status: 401 })
  })

  it('reconnects after the last position, which a block without an event can update', async () => {
    const { client, sent } = scripted([
      () => stream('retry: 1000\nid: 4\n\n', block(5).slice(0, 9), block(5).slice(9), 'id: 9\n\n'),
      () => new Response('busy', { status: 503 }),
      () => stream(block(10)),
    ])
    const statuses: string[] = []
    const events = client.follow({}, { retryMs: 1, onStatus: (status) => statuses.push(status) })
    expect((await take(events, 2)).map(({ id }) => id)).toEqual([5, 10])
    expect(sent.map((headers) => headers['Last-Event-ID'])).toEqual([undefined, '9', '9'])
    expect(statuses).toEqual(['open', 'lost', 'open'])
  })

  it('sends the position as the server sent it', async () => {
    const { client, sent } = scripted([() => stream('id: 5-1f3a09bc\ndata: {"id":5}\n\n'), () => stream(block(6))])
    await take(client.follow({}, { lastEventId: 4, retryMs: 1 }), 2)
    expect(sent.map((headers) => headers['Last-Event-ID'])).toEqual(['4', '5-1f3a09bc'])
  })

  it('ends if the log lost the event after which it was to continue', async () => {
    const lost = { name: 'ConflictError', message: 'Lost.', details: [{ code: 'position-lost', message: 'Lost.' }] }
    const { client } = scripted([() => stream(block(5)), () => Response.json(lost, { status: 409 })])
    const error = await take(client.follow({}, { retryMs: 1 }), 2).catch((thrown) => thrown)
    expect([error.status, error.isPositionLost, error.isTemporary]).toEqual([409, true, false])
    expect(new ClientError({ status: 409, name: 'ConflictError', message: 'No.' }).isPositionLost).toBe(false)
  })

  it('treats a silent connection as lost', async () => {
    const silent = () => new Response(new ReadableStream(), isStream)
    // Its first bytes are there with the answer: reading them takes no time, on any machine.
    const said = new ReadableStream({ start: (open) => open.enqueue(new TextEncoder().encode(block(1))) })
    const { client, sent } = scripted([silent, () => new Response(said, isStream)])
    await take(client.follow({}, { silenceMs: 1, retryMs: 1 }), 1)
    expect(sent).toHaveLength(2)
  })

  it('ends while it waits to reconnect', async () => {
    const leaving = new AbortController()
    const { client } = scripted([])
    const onStatus = () => leaving.abort()
    expect(await take(client.follow({}, { signal: leaving.signal, onStatus, retryMs: 2 ** 30 }), 1)).toEqual([])
  })
})
