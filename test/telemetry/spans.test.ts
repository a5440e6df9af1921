import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'
import type { Express } from 'express'
import { webhooks } from '../../src/webhooks'
import { until } from '../faults/support/server'
import { databases, type OpenDatabase } from '../support/databases'
import { secret } from '../webhooks/support/driver'
import { startReceiver } from '../webhooks/support/receiver'
import { type MeasuredApp, measuredApp } from './support/measured-app'
import { type Sdk, startSdk } from './support/sdk'

/** A span for each request, as an instrumentation of the host app creates it. */
const requestSpans = (sdk: Sdk) => (app: Express) => {
  const tracer = sdk.tracers.getTracer('host')
  app.use((_req, res, next) => {
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER })
    res.once('finish', () => span.end())
    context.with(trace.setSpan(context.active(), span), next)
  })
}

describe.each(databases)('the spans on $name', ({ open }) => {
  let sdk: Sdk
  let store: OpenDatabase
  let app: MeasuredApp

  beforeEach(async () => {
    sdk = startSdk()
    store = await open()
    const limits = { followPollMs: 20 }
    app = await measuredApp(store.storage, { limits }, { before: requestSpans(sdk) })
  })
  afterEach(async () => {
    await app.close()
    await store.close()
    await sdk.stop()
  })

  const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId
  /** The names of a span and of everything that it is a part of. */
  const pathOf = (span: ReadableSpan): string[] => {
    const parent = sdk.spans().find((one) => idOf(one) === span.parentSpanContext?.spanId)
    return parent === undefined ? [span.name] : [...pathOf(parent), span.name]
  }
  const paths = () => sdk.spans().map((span) => pathOf(span).join(' > '))
  const approved = async () => {
    const id = await app.proposed()
    await app.to('author', id, 'In review').expect(200)
    await app.to('reviewer', id, 'Approved').expect(200)
    return id
  }
  const tracesOf = async (types: readonly string[]) => {
    const { json } = await store.storage.eventPage({ types }, { after: 0 }, 100)
    const ids = (JSON.parse(`[${Buffer.from(json)}]`) as { id: number }[]).map(({ id }) => id)
    const traces = await store.storage.eventTraces(ids)
    return ids.map((id) => traces.get(id))
  }
  const traceparent = (span: ReadableSpan) => {
    const { traceId, spanId } = span.spanContext()
    return `00-${traceId}-${spanId}-01`
  }

  it('are one for an operation below the request, and below that one for a commit and for each call of the gateway', async () => {
    const id = await approved()
    sdk.reset()
    await app.to('reviewer', id, 'Applied').expect(200)
    await until(() => sdk.named('request').length === 1)

    expect(new Set(paths())).toEqual(
      new Set([
        'request',
        'request > changeState',
        'request > changeState > flags.current',
        'request > changeState > flags.apply',
        'request > changeState > commit',
      ]),
    )
    // The intent, and the result.
    expect(sdk.named('commit')).toHaveLength(2)
    expect(sdk.named('flags.apply')).toHaveLength(1)
    for (const span of sdk.named('commit'))
      expect(span.parentSpanContext?.spanId).toBe(idOf(sdk.named('changeState')[0]))
  })

  it('of an error have its name, and only a fault is an error', async () => {
    await app.call('stranger', 'get', '/change-requests/open').expect(403)
    const id = await app.proposed()
    await app.to('author', id, 'In review').expect(200)
    sdk.reset()
    app.flags.instead = () => Promise.reject(new Error('private-flag'))
    await app.to('reviewer', id, 'Approved').expect(503)
    await app.call('stranger', 'get', '/change-requests/open').expect(403)

    const found = (name: string) =>
      sdk.named(name).map(({ status, attributes, events }) => [status, attributes, events])
    const error = { code: SpanStatusCode.ERROR }
    expect(found('changeState')).toEqual([
      [error, { 'change_request.operation': 'changeState', 'error.type': 'UnavailableError' }, []],
    ])
    expect(found('flags.current')).toContainEqual([error, { 'error.type': '_OTHER' }, []])
    const denied = { 'change_request.operation': 'getOpenChangeRequests', 'error.type': 'PermissionError' }
    expect(found('getOpenChangeRequests')).toEqual([[{ code: SpanStatusCode.UNSET }, denied, []]])
  })

  it('of concurrent requests are each below their own request', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, index) => app.proposed('author', `environment-${index}`)))
    await until(() => sdk.named('request').length === 10)

    expect(paths().filter((path) => path === 'request > addChanges > commit')).toHaveLength(10)
    const parents = new Set(sdk.named('commit').map(({ parentSpanContext }) => parentSpanContext?.spanId))
    expect(parents.size).toBe(10)
  })

  it('of commands that one commit stores are linked to its span, and each event has the trace of its own step', async () => {
    const id = await app.proposed()
    sdk.reset()
    const comments = Array.from({ length: 20 }, () => app.comment('author', id).expect(204))
    await Promise.all(comments)
    await app.to('author', id, 'In review').expect(200)

    const operations = sdk.named('addComment')
    const reached = sdk.named('commit').flatMap(({ links, parentSpanContext }) => {
      return [parentSpanContext?.spanId, ...links.map(({ context }) => context.spanId)]
    })
    for (const span of operations) expect(reached).toContain(idOf(span))
    const [submit] = sdk.named('changeState')
    expect(await tracesOf(['change-request-sent-to-review'])).toEqual([submit && traceparent(submit)])
  })

  it('of schedules begin a trace of their own, whose events have its trace context', async () => {
    const id = await approved()
    await app.to('reviewer', id, 'Scheduled', { scheduledAt: app.at(60) }).expect(200)
    app.pass(60)
    sdk.reset()
    await app.router.runDue()

    const [run] = sdk.named('schedule.run')
    expect(run?.parentSpanContext).toBeUndefined()
    expect(paths()).toEqual(
      expect.arrayContaining(['schedule.run', 'schedule.run > flags.apply', 'schedule.run > commit']),
    )
    expect(await tracesOf(['change-request-applied'])).toEqual([run && traceparent(run)])
  })

  it('of consumers link to the steps that wrote the events, and contain the attempts of webhooks', async () => {
    const receiver = await startReceiver((res, index) => void res.writeHead(index === 0 ? 500 : 204).end())
    const target = { secrets: [secret], name: 'audit', url: receiver.url, types: ['change-request-created'] } as const
    const consumers = webhooks({ targets: [target] })
    for (const consumer of consumers) app.router.events.consume({ ...consumer, from: 'beginning' })
    await app.proposed()
    await until(() => sdk.named('request').length === 1)
    app.router.start()
    await until(() => sdk.named('consumer.batch').length === 1)
    await receiver.close()

    const [batch] = sdk.named('consumer.batch')
    const [proposal] = sdk.named('addChanges')
    expect(batch?.parentSpanContext).toBeUndefined()
    expect(batch?.links.map(({ context }) => context.spanId)).toEqual([idOf(proposal)])
    expect(batch?.links.map(({ context }) => context.traceId)).toEqual([proposal?.spanContext().traceId])
    expect(batch?.attributes).toEqual({ 'change_request.consumer.name': 'audit', 'error.type': '_OTHER' })
    const [attempt] = sdk.named('webhook.attempt')
    expect(attempt?.parentSpanContext?.spanId).toBe(idOf(batch))
    expect(attempt?.attributes).toMatchObject({ 'http.response.status_code': 500 })
  })

  it('do not contain the polls that a request has begun', async () => {
    const { storage } = store
    const active: Record<'due' | 'eventHead', (string | undefined)[]> = { due: [], eventHead: [] }
    const observed = (name: 'due' | 'eventHead') => {
      active[name].push(trace.getSpan(context.active())?.spanContext().spanId)
    }
    const polled = await measuredApp(
      {
        ...storage,
        due: (page) => {
          observed('due')
          return storage.due(page)
        },
        eventHead: (scope) => {
          observed('eventHead')
          return storage.eventHead(scope)
        },
      },
      { schedule: 'here', limits: { followPollMs: 20, schedulePollMs: 20 } },
    )
    const span = sdk.tracers.getTracer('host').startSpan('request')
    const end = new AbortController()
    context.with(trace.setSpan(context.active(), span), () => {
      polled.router.start()
      const follower = polled.router.events.follow({ signal: end.signal })[Symbol.asyncIterator]()
      void follower.next()
    })
    for (const calls of Object.values(active)) await until(() => calls.length >= 5)
    expect(active.due.slice(-3)).toEqual([undefined, undefined, undefined])
    expect(active.eventHead.slice(-3)).toEqual([undefined, undefined, undefined])
    end.abort()
    await polled.close()
  })

  it('give recorded events the trace of the code that records them', async () => {
    const span = sdk.tracers.getTracer('host').startSpan('import')
    const recorded = () =>
      app.router.events.record({ type: 'feature-archived', project: 'shop', featureName: 'private-flag' })
    await context.with(trace.setSpan(context.active(), span), recorded)
    await app.router.events.record({ type: 'feature-revived', project: 'shop', featureName: 'private-flag' })

    expect(await tracesOf(['feature-archived'])).toEqual([traceparent(span as unknown as ReadableSpan)])
    expect(await tracesOf(['feature-revived'])).toEqual([undefined])
  })
})
