import openapi from '../../openapi.json'
import { errorStatuses } from '../../src/errors'
import { states } from '../../src/generated/lists'
import { webhooks } from '../../src/webhooks'
import { until } from '../faults/support/server'
import { oneDatabase } from '../support/databases'
import { secret } from '../webhooks/support/driver'
import { startReceiver } from '../webhooks/support/receiver'
import { callers, measuredApp, secrets } from './support/measured-app'
import { startSdk } from './support/sdk'

const operations = Object.values(openapi.paths).flatMap((path) =>
  Object.values(path as Record<string, { operationId?: string }>).flatMap(({ operationId }) => operationId ?? []),
)

/** Every attribute, with the values that it may have. */
const allowed: Readonly<Record<string, (value: unknown) => boolean>> = {
  'change_request.operation': (value) => operations.includes(String(value)),
  'error.type': (value) => value === '_OTHER' || Object.keys(errorStatuses).includes(String(value)),
  'change_request.state': (value) => (states as readonly unknown[]).includes(value),
  'change_request.state.from': (value) => (states as readonly unknown[]).includes(value),
  'change_request.state.to': (value) => (states as readonly unknown[]).includes(value),
  'change_request.consumer.name': (value) => ['audit', 'chat', 'broken'].includes(String(value)),
  'http.response.status_code': (value) => [204, 418].includes(Number(value)),
}

/** A lifecycle, a schedule, a failing hook, consumers and webhooks, each with texts that nothing may show. */
describe.each(oneDatabase)('metrics and spans on $name', ({ open }) => {
  it.each([false, true])('never have a flag, a person, a key or a payload, byProject: %s', async (byProject) => {
    const sdk = startSdk()
    const store = await open()
    const app = await measuredApp(store.storage, { telemetry: { byProject }, limits: { followPollMs: 20 } })
    const receiver = await startReceiver((res, index) => void res.writeHead(index === 0 ? 418 : 204).end())
    const target = { secrets: [secret], types: '*' } as const
    const slack = { name: 'chat', url: receiver.url, format: 'slack' } as const
    for (const consumer of webhooks({ targets: [{ ...target, name: 'audit', url: receiver.url }, slack] })) {
      app.router.events.consume(consumer)
    }
    app.router.events.consume({
      name: 'broken',
      from: 'beginning',
      handle: () => Promise.reject(new Error(secrets.join())),
    })
    app.router.start()
    await until(async () => (await app.router.health()).consumers.items.every(({ state }) => state !== 'waiting'))

    const id = await app.proposed()
    await app.comment('author', id).expect(204)
    await app.to('author', id, 'In review', { comment: 'private comment' }).expect(200)
    await app.to('stranger', id, 'Approved').expect(403)
    app.flags.instead = () => Promise.reject(Object.assign(new Error(secrets.join()), { name: secrets[0] }))
    await app.to('reviewer', id, 'Approved').expect(503)
    app.flags.instead = null
    await app.to('reviewer', id, 'Approved').expect(200)
    await app.to('reviewer', id, 'Scheduled', { scheduledAt: app.at(60) }).expect(200)
    app.pass(60)
    expect(await app.router.runDue()).toMatchObject({ applied: 1 })
    const urgent = await app.proposed()
    await app.to('author', urgent, 'Applied', { emergency: { reason: 'private reason' } }).expect(200)
    await app.to('author', await app.proposed(), 'In review').expect(200)
    await app.call('author', 'get', `/change-requests/${id}/review`).expect(200)
    await app.events('?feature=private-flag', { key: callers.author.key }).expect(200)
    await app.router.events.record({ type: 'feature-archived', project: 'shop', featureName: 'private-flag' })
    await until(() => sdk.named('webhook.attempt').length > 2 && sdk.named('consumer.batch').length > 2)

    const { all } = await sdk.collect()
    const scope = 'express-change-requests'
    const spans = sdk.spans().filter(({ instrumentationScope }) => instrumentationScope.name === scope)
    const shown = [
      ...all.flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes)),
      ...spans.flatMap(({ attributes, links }) => [attributes, ...links.map((link) => link.attributes ?? {})]),
    ]
    const places: typeof allowed = byProject
      ? {
          'change_request.project': (value) => value === 'shop',
          'change_request.environment': (value) => value === 'production',
        }
      : {}
    const seen = new Set<string>()
    for (const attributes of shown) {
      for (const [name, value] of Object.entries(attributes)) {
        seen.add(name)
        const isAllowed = { ...allowed, ...places }[name]?.(value)
        if (!isAllowed) throw new Error(`The attribute ${name} has the value ${JSON.stringify(value)}.`)
      }
    }
    expect([...seen].sort()).toEqual(Object.keys({ ...allowed, ...places }).sort())
    const known = [...operations, 'commit', 'schedule.run', 'consumer.batch', 'webhook.attempt']
    for (const { name, events, status } of spans) {
      expect([...known, 'flags.current', 'flags.apply', 'flags.outcome']).toContain(name)
      expect([events, status.message]).toEqual([[], undefined])
    }
    const everything = JSON.stringify([all.map(({ descriptor }) => descriptor), shown, spans.map(({ name }) => name)])
    for (const text of secrets) expect(everything).not.toContain(text)

    await app.close()
    await receiver.close()
    await store.close()
    await sdk.stop()
  })
})
