import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Agent } from 'node:https'
import { connect, createServer } from 'node:net'
import { CloudEvent, ValidationError } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import type { EventView } from '../../src/generated/index'
import { ConsumerRetry, ConsumerStop } from '../../src/index'
import { thrownValues } from '../support/thrown-values'
import { attempt, consumerOf, eventOf, log, secret } from './support/driver'
import { certificate, type Respond, startReceiver } from './support/receiver'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const minute = 60_000
const receivers: Receiver[] = []
const consumers: ReturnType<typeof consumerOf>[] = []

async function receive(respond?: Respond, isTls = false): Promise<Receiver> {
  const receiver = await startReceiver(respond, isTls)
  receivers.push(receiver)
  return receiver
}

/** A consumer whose connections are closed after the test. */
function consume(...given: Parameters<typeof consumerOf>) {
  const consumer = consumerOf(...given)
  consumers.push(consumer)
  return consumer
}

afterEach(async () => {
  for (const consumer of consumers.splice(0)) await consumer.close?.()
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})

const answer =
  (status: number, headers = {}) =>
  (res: ServerResponse) =>
    void res.writeHead(status, headers).end()

const throwing = () => {
  throw new Error('s3cret')
}

describe('a delivery', () => {
  it('sends one event per request, in order, over one connection, and records each as done', async () => {
    const receiver = await receive()
    const { done, error } = await attempt(consume({ url: receiver.url }), [eventOf(1), eventOf(2), eventOf(4)])
    expect([done, error]).toEqual([[1, 2, 4], undefined])
    expect(receiver.requests.map(({ body }) => JSON.parse(body))).toEqual(
      [1, 2, 4].map((id) => ({
        type: 'change-request-applied',
        timestamp: '2026-11-20T10:52:09.870Z',
        data: eventOf(id),
      })),
    )
    const [first] = receiver.requests
    expect([first?.method, first?.path]).toEqual(['POST', '/hooks/s3cret-path'])
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', host: `127.0.0.1:${receiver.port}` })
    expect(receiver.connections()).toBe(1)
  })

  it('is verified by the library standardwebhooks with each of the secrets, and with no other', async () => {
    const receiver = await receive()
    const other = `whsec_${Buffer.alloc(64, 9).toString('base64')}`
    await attempt(consume({ url: receiver.url, secrets: [other, secret] }), [eventOf(1, { createdBy: 'Zoë "🚀"' })])
    const [{ body, headers } = { body: '', headers: {} }] = receiver.requests
    for (const one of [secret, other]) expect(new Webhook(one).verify(body, headers as never)).toEqual(JSON.parse(body))
    const unknown = new Webhook(`whsec_${Buffer.alloc(24, 8).toString('base64')}`)
    expect(() => unknown.verify(body, headers as never)).toThrow()
    expect(() => new Webhook(secret).verify(`${body} `, headers as never)).toThrow()
  })

  it('has the same id in every attempt and process, and another id for another target, log or content', async () => {
    const receiver = await receive()
    const send = async (name: string, event = eventOf(1), id = log.id) => {
      await attempt(consume({ url: receiver.url, name }), [event], { log: { ...log, id } })
      return String(receiver.requests.at(-1)?.headers['webhook-id'])
    }
    const first = await send('audit')
    expect(first).toMatch(/^msg_[\w-]{27}$/)
    expect(await send('audit')).toBe(first)
    const others = [
      await send('search'),
      await send('audit', eventOf(2)),
      await send('audit', eventOf(1, { createdAt: '2026-11-21T10:52:09.870Z' })),
      await send('audit', eventOf(1, { data: { changeRequestId: 43 } })),
      await send('audit', eventOf(1), '00000000-7e5f-4d4e-8a0b-3a8f4f0f5b11'),
    ]
    expect(new Set([first, ...others]).size).toBe(6)
  })

  it('sends own headers, and CloudEvents 1.0 that match its published schema', async () => {
    const receiver = await receive()
    const headers = { Authorization: 'Splunk abc', 'User-Agent': 'flags' }
    await attempt(consume({ url: receiver.url, headers, format: 'cloudevents' }), [
      eventOf(7),
      eventOf(8, { type: 'feature-archived', data: null }),
    ])
    const [first, second] = receiver.requests.map(({ body }) => JSON.parse(body))
    expect(first).toEqual({
      specversion: '1.0',
      id: receiver.requests[0]?.headers['webhook-id'],
      source: `urn:uuid:${log.id}`,
      type: 'change-request-applied',
      subject: 'change-requests/42',
      time: '2026-11-20T10:52:09.870Z',
      datacontenttype: 'application/json',
      data: eventOf(7),
    })
    expect(second).not.toHaveProperty('subject')
    for (const event of [first, second]) expect(new CloudEvent(event, true).validate()).toBe(true)
    expect(() => new CloudEvent({ ...first, source: '' }, true)).toThrow(ValidationError)
    expect(receiver.requests[0]?.headers).toMatchObject({
      authorization: 'Splunk abc',
      'user-agent': 'flags',
      'content-type': 'application/cloudevents+json; charset=utf-8',
    })
  })

  it('awaits a body that is a promise', async () => {
    const receiver = await receive()
    const body = async ({ id }: EventView) => ({ id, at: new Date(0), project: undefined })
    expect((await attempt(consume({ url: receiver.url, body }), [eventOf(3)])).done).toEqual([3])
    expect(receiver.requests.map((request) => request.body)).toEqual(['{"id":3,"at":"1970-01-01T00:00:00.000Z"}'])
  })

  const cycle: unknown[] = []
  cycle.push(cycle)
  const noJson: readonly (readonly [what: string, value: unknown])[] = [
    ['undefined', undefined],
    ['a promise of undefined', Promise.resolve()],
    ['a function', () => ({})],
    ['a Symbol', Symbol('s3cret')],
    ['a BigInt', 1n],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a cycle', cycle],
    ['a Map', new Map([['a', 1]])],
    ['a Set', new Set([1])],
    ['an error', new Error('s3cret')],
    ['a value of each kind within an object', { a: { b: 1n } }],
    ['NaN in a list', [1, Number.NaN]],
    ['an invalid date', new Date(Number.NaN)],
    ['an invalid date in an object', { a: new Date(Number.NaN) }],
    ['undefined in a list', [1, undefined]],
    ['a function in an object', { a: () => 1 }],
    ['a promise in an object', { a: Promise.resolve(1) }],
    ['an object that nests too deep', Array.from({ length: 100_000 }).reduce((inner) => [inner], null)],
    ['an object whose toJSON returns undefined', { toJSON: () => undefined }],
    ['an object whose toJSON throws', { toJSON: throwing }],
    ['an object with a getter that throws', Object.defineProperty({}, 'a', { get: throwing, enumerable: true })],
  ]
  it.each(noJson)('retries an event whose body is %s, without the value', async (_, value) => {
    const receiver = await receive()
    const { done, error } = await attempt(consume({ url: receiver.url, body: () => value }), [eventOf(3), eventOf(4)])
    expect([done, receiver.requests]).toEqual([[], []])
    expect(error).toBeInstanceOf(ConsumerRetry)
    expect(error?.message).toMatch(/^audit: event 3 was not delivered: the function "body" returned no JSON: [^.]+\.$/)
    expect(error?.message).not.toContain('s3cret')
  })

  it.each(thrownValues)('retries an event whose body throws %s, without the value', async (_, create) => {
    const fail = () => {
      throw create()
    }
    for (const body of [fail, async () => fail()]) {
      const { error } = await attempt(consume({ url: 'http://127.0.0.1:9/', body }), [eventOf(3)])
      expect(error).toBeInstanceOf(ConsumerRetry)
      expect(error?.message).toBe('audit: event 3 was not delivered: the function "body" threw an error.')
    }
  })

  it('retries an event whose body is not there in time, and ends with the attempt', async () => {
    const body = () => new Promise<never>(() => {})
    const { error } = await attempt(consume({ url: 'http://127.0.0.1:9/', body }, { timeoutMs: 5 }), [eventOf(3)])
    expect(error?.message).toBe('audit: event 3 was not delivered: the function "body" took longer than 5 ms.')
    const stopping = new AbortController()
    const ended = attempt(consume({ url: 'http://127.0.0.1:9/', body }), [eventOf(3)], { signal: stopping.signal })
    stopping.abort()
    expect((await ended).error?.message).toBe('The attempt was aborted.')
    const aborted = attempt(consume({ url: 'http://127.0.0.1:9/', body }), [eventOf(3)], {
      signal: AbortSignal.abort(),
    })
    expect((await aborted).error?.message).toBe('The attempt was aborted.')
  })

  it.each(['standard', 'cloudevents'] as const)(
    'leaves out data and preData of a %s body above 20 kB',
    async (format) => {
      const receiver = await receive()
      const large = eventOf(5, { data: { changeRequestId: 42, text: 'é'.repeat(11_000) }, preData: {} })
      await attempt(consume({ url: receiver.url, format }), [large])
      await attempt(consume({ url: receiver.url, format }, {}, { apiUrl: 'https://flags.example/api/admin/' }), [large])
      const [without, withUrl] = receiver.requests.map(({ body }) => JSON.parse(body))
      expect(Object.keys(without.data)).toEqual(['id', 'createdAt', 'type', 'createdBy', 'project'])
      expect(without).not.toHaveProperty('url')
      expect(withUrl).toEqual({
        ...without,
        id: withUrl.id,
        url: 'https://flags.example/api/admin/search/events?id=IS:5',
      })
      if (format === 'cloudevents') expect(new CloudEvent(withUrl, true).validate()).toBe(true)
      const small = eventOf(5, { data: { text: 'x'.repeat(20_000) } })
      await attempt(consume({ url: receiver.url, format }), [small])
      expect(JSON.parse(receiver.requests.at(-1)?.body ?? '').data.data).toEqual(small.data)
    },
  )

  it('uses TLS, and fails with a certificate that it cannot verify', async () => {
    const receiver = await receive(undefined, true)
    const { error } = await attempt(consume({ url: receiver.url }), [eventOf(1)])
    expect(error?.message).toBe(
      'audit: event 1 was not delivered: the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT).',
    )
    expect(receiver.requests).toEqual([])
    const agent = new Agent({ ca: certificate })
    expect((await attempt(consume({ url: receiver.url, agent }), [eventOf(1)])).done).toEqual([1])
    agent.destroy()
  })
})

describe('a receiver that fails', () => {
  it.each([301, 302, 307, 308, 400, 401, 404, 500])(
    'with %i gets the event again; nothing is followed',
    async (status) => {
      const elsewhere = await receive()
      const receiver = await receive(answer(status, { Location: elsewhere.url }))
      const { done, error } = await attempt(consume({ url: receiver.url }), [eventOf(1), eventOf(2)])
      expect(done).toEqual([])
      expect(error).toBeInstanceOf(ConsumerRetry)
      expect(error).toMatchObject({
        afterMs: 5_000,
        message: `audit: event 1 was not delivered: the response was ${status}.`,
      })
      expect(elsewhere.requests).toEqual([])
    },
  )

  it('for one event gets that event again first', async () => {
    const receiver = await receive((res, index) => answer(index === 1 ? 400 : 204)(res))
    const consumer = consume({ url: receiver.url })
    const first = await attempt(consumer, [eventOf(1), eventOf(2), eventOf(3)], { attempt: 5, failingSince: log.id })
    expect([first.done, first.error?.message]).toEqual([[1], expect.stringContaining('event 2')])
    // The failures before belonged to the first event.
    expect(first.error?.afterMs).toBe(5_000)
    expect((await attempt(consumer, [eventOf(2), eventOf(3)])).done).toEqual([2, 3])
  })

  it('is tried again after 5 s, 30 s, 2, 10 and 30 min, then hourly, give or take a fifth', async () => {
    const receiver = await receive(answer(500))
    const pauses = async (random: number) => {
      const consumer = consume({ url: receiver.url }, { random: () => random })
      const all: (number | undefined)[] = []
      for (let count = 1; count <= 7; count += 1) {
        all.push((await attempt(consumer, [eventOf(1)], { attempt: count })).error?.afterMs)
      }
      return all
    }
    const table = [5_000, 30_000, 2 * minute, 10 * minute, 30 * minute, 60 * minute, 60 * minute]
    expect(await pauses(0.5)).toEqual(table)
    expect(await pauses(0)).toEqual(table.map((ms) => ms * 0.8))
    expect((await pauses(1)).slice(0, 5)).toEqual(table.slice(0, 5).map((ms) => ms * 1.2))
  })

  it.each([429, 503])(
    'with %i is tried again after its Retry-After, in seconds or as a date, up to an hour',
    async (status) => {
      const now = new Date('2026-11-20T12:00:00Z')
      const texts = ['100', 'Fri, 20 Nov 2026 12:05:00 GMT', '1', 'Fri, 20 Nov 2026 11:00:00 GMT', 'soon', '999999999']
      const receiver = await receive((res, index) => answer(status, { 'Retry-After': texts[index] })(res))
      const consumer = consume({ url: receiver.url }, { now: () => now })
      const pauses: (number | undefined)[] = []
      for (const _ of texts) pauses.push((await attempt(consumer, [eventOf(1)])).error?.afterMs)
      expect(pauses).toEqual([100_000, 5 * minute, 5_000, 5_000, 5_000, 60 * minute])
    },
  )

  it('with another status has no Retry-After', async () => {
    const receiver = await receive(answer(500, { 'Retry-After': '100' }))
    expect((await attempt(consume({ url: receiver.url }), [eventOf(1)])).error?.afterMs).toBe(5_000)
  })

  it('with 410 is stopped', async () => {
    const receiver = await receive(answer(410))
    const { error } = await attempt(consume({ url: receiver.url }), [eventOf(9)])
    expect(error).toBeInstanceOf(ConsumerStop)
    expect(error?.message).toBe('audit: event 9 was not delivered: the response was 410.')
  })

  it('for stopAfterMs is stopped, counted from failingSince', async () => {
    const receiver = await receive(answer(500))
    const now = () => new Date('2026-11-20T12:00:00Z')
    const at = async (failingSince: string | null, stopAfterMs?: number) => {
      const consumer = consume({ url: receiver.url, ...(stopAfterMs && { stopAfterMs }) }, { now })
      return (await attempt(consumer, [eventOf(1)], { attempt: 2, failingSince })).error?.name
    }
    expect(await at('2026-11-15T12:00:00.000Z')).toBe('ConsumerStop')
    expect(await at('2026-11-15T12:00:00.001Z')).toBe('ConsumerRetry')
    expect(await at('2026-11-20T11:59:00.000Z', minute)).toBe('ConsumerStop')
    expect(await at(null, 1)).toBe('ConsumerRetry')
  })

  it('by hanging is given up after the time limit, and its connection is closed', async () => {
    const receiver = await receive(() => {})
    const closed = once(receiver.server, 'connection').then(([socket]) => once(socket, 'close'))
    const { error } = await attempt(consume({ url: receiver.url }, { timeoutMs: 100 }), [eventOf(1)])
    expect(error?.message).toBe('audit: event 1 was not delivered: no response in time.')
    await closed
  })

  it('by sending its headers byte by byte is given up after the time limit', async () => {
    const slow = createServer((socket) => {
      const text = 'HTTP/1.1 204 No Content\r\nX-Long: '
      let sent = 0
      const timer = setInterval(() => socket.write(text[sent++] ?? 'x'), 10)
      socket.on('error', () => {}).on('close', () => clearInterval(timer))
    }).listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const url = `http://127.0.0.1:${(slow.address() as { port: number }).port}/`
    const { error } = await attempt(consume({ url }, { timeoutMs: 300 }), [eventOf(1)])
    expect(error?.message).toBe('audit: event 1 was not delivered: no response in time.')
    slow.close()
  })

  it('by sending its body byte by byte has accepted the event, and its connection is closed', async () => {
    const receiver = await receive((res) => {
      const timer = setInterval(() => res.write('x'), 10)
      res.on('close', () => clearInterval(timer))
    })
    const { done } = await attempt(consume({ url: receiver.url }, { timeoutMs: 200 }), [eventOf(1), eventOf(2)])
    expect(done).toEqual([1, 2])
    expect(receiver.connections()).toBe(2)
  })

  it('by sending a gigabyte has accepted the event; little of it is read', async () => {
    let written = 0
    const chunk = Buffer.alloc(64 * 1024)
    const receiver = await receive((res) => {
      const more = () => {
        while (written < 1 << 30 && !res.destroyed) {
          written += chunk.length
          if (!res.write(chunk)) return res.once('drain', more)
        }
        return res.end()
      }
      more()
    })
    expect((await attempt(consume({ url: receiver.url }), [eventOf(1)])).done).toEqual([1])
    // What fits into the buffers of the sockets, and nothing near the whole.
    expect(written).toBeLessThan(32 << 20)
  })

  it('by closing the connection early gets the event again', async () => {
    const receiver = await receive((res) => void res.destroy())
    const { error } = await attempt(consume({ url: receiver.url }), [eventOf(1)])
    expect(error?.message).toBe('audit: event 1 was not delivered: the connection failed (ECONNRESET).')
  })

  it('by closing an idle connection gets the event over a new one', async () => {
    const receiver = await receive((res, index, { port }) => {
      const isReused = index === 1 && port === receiver.requests[0]?.port
      if (isReused) res.destroy()
      else answer(204)(res)
    })
    expect((await attempt(consume({ url: receiver.url }), [eventOf(1), eventOf(2)])).done).toEqual([1, 2])
    expect(receiver.connections()).toBe(2)
  })

  it('is not there', async () => {
    const receiver = await startReceiver()
    await receiver.close()
    const { error } = await attempt(consume({ url: receiver.url }), [eventOf(1)])
    expect(error?.message).toBe('audit: event 1 was not delivered: the connection failed (ECONNREFUSED).')
  })
})

describe('a delivery that is aborted', () => {
  it('ends its request, and is no failure of the target', async () => {
    const receiver = await receive(() => {})
    const controller = new AbortController()
    const running = attempt(consume({ url: receiver.url }), [eventOf(1)], { signal: controller.signal })
    await once(receiver.server, 'request')
    controller.abort()
    const { error } = await running
    expect([error?.name, error?.message]).toEqual(['Error', 'The attempt was aborted.'])
  })

  it('sends nothing when it is aborted before', async () => {
    const receiver = await receive()
    const { error } = await attempt(consume({ url: receiver.url }), [eventOf(1)], { signal: AbortSignal.abort() })
    expect([error?.message, receiver.requests]).toEqual(['The attempt was aborted.', []])
  })
})

describe('plain HTTP', () => {
  it('sends nothing to an address that is not of this machine, whatever the name says', async () => {
    const receiver = await receive()
    const sent: Buffer[] = []
    const agent = new Agent()
    // As if localhost resolved to another machine: the socket leads to the receiver, and reports another address.
    Object.assign(agent, {
      protocol: 'http:',
      createConnection: () => {
        const socket = connect(receiver.port, '127.0.0.1')
        Object.defineProperty(socket, 'remoteAddress', { get: () => '192.0.2.7' })
        Object.defineProperty(socket, 'remoteFamily', { get: () => 'IPv4' })
        const write = socket.write.bind(socket)
        socket.write = ((chunk: Buffer, ...rest: []) => {
          sent.push(chunk)
          return write(chunk, ...rest)
        }) as never
        return socket
      },
    })
    const { error } = await attempt(consume({ url: `http://localhost:${receiver.port}/`, agent }), [eventOf(1)])
    expect(error?.message).toBe('audit: event 1 was not delivered: http is accepted for loopback addresses only.')
    expect([sent, receiver.requests]).toEqual([[], []])
  })

  it('is sent to each form of a loopback address', async () => {
    const receiver = await receive()
    const { done } = await attempt(consume({ url: `http://localhost:${receiver.port}/` }), [eventOf(1)])
    expect(done).toEqual([1])
  })
})
