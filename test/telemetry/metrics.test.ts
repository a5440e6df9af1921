import { diag } from '@opentelemetry/api'
import type { Freeze } from '../../src'
import { webhooks } from '../../src/webhooks'
import { until } from '../faults/support/server'
import { Gate } from '../kernel/support/flags'
import { databases, type OpenDatabase } from '../support/databases'
import { secret } from '../webhooks/support/driver'
import { startReceiver } from '../webhooks/support/receiver'
import { type MeasuredApp, measuredApp } from './support/measured-app'
import { type Metrics, type Sdk, startSdk } from './support/sdk'

const place = { 'change_request.project': 'shop', 'change_request.environment': 'production' }

describe.each(databases)('the metrics on $name', ({ open }) => {
  let sdk: Sdk
  let store: OpenDatabase
  let app: MeasuredApp

  beforeEach(async () => {
    sdk = startSdk()
    store = await open()
  })
  afterEach(async () => {
    await app.close()
    await store.close()
    await sdk.stop()
  })

  const start = async (options: Parameters<typeof measuredApp>[1] = {}) => {
    app = await measuredApp(store.storage, options)
  }
  const operation = (name: string, error?: string) => ({
    'change_request.operation': name,
    ...(error && { 'error.type': error }),
  })
  const count = (found: Metrics, name: string, attributes: object = {}) =>
    valuesOf(found, name, attributes).reduce((sum, { count }) => sum + count, 0)
  const transitions = (found: Metrics) =>
    found
      .points('change_request.transitions')
      .map(({ attributes, value }) => [
        attributes['change_request.state.from'],
        attributes['change_request.state.to'],
        value,
      ])
      .sort()

  it('have change_request.operation.duration, with the operation and the name of an error', async () => {
    await start()
    const id = await app.proposed()
    await app.call('reviewer', 'get', `/change-requests/${id}`).expect(404)
    await app.call('stranger', 'get', '/change-requests/open').expect(403)
    await app.comment('author', id).expect(204)
    await app.to('author', id, 'In review').expect(200)
    await app.call('author', 'get', '/change-requests/scheduled').set('Authorization', 'unknown').expect(401)
    app.flags.instead = () => Promise.reject(new Error('private-flag'))
    await app.to('reviewer', id, 'Approved').expect(503)

    const found = await sdk.collect()
    expect(found.unitOf('change_request.operation.duration')).toBe('s')
    const points = found.points('change_request.operation.duration')
    expect(points.map(({ attributes, value }) => [attributes, (value as { count: number }).count])).toEqual(
      expect.arrayContaining([
        [operation('addChanges'), 1],
        [operation('addComment'), 1],
        [operation('changeState'), 1],
        [operation('changeState', 'UnavailableError'), 1],
        [operation('getChangeRequest', 'NotFoundError'), 1],
        [operation('getOpenChangeRequests', 'PermissionError'), 1],
        [operation('getScheduledChangeRequests', 'UnauthorizedError'), 1],
      ]),
    )
    expect(points).toHaveLength(7)
    for (const { value } of points) expect((value as { sum: number }).sum).toBeGreaterThan(0)
  })

  it('have change_request.transitions, also where one commit has two of them', async () => {
    await start()
    const [first, rejected] = [await app.proposed(), await app.proposed('reviewer', 'staging')]
    await app.to('author', first, 'In review').expect(200)
    await app.to('reviewer', rejected, 'In review').expect(200)
    await app.to('author', rejected, 'Rejected').expect(200)
    await app.call('reviewer', 'put', `/change-requests/${first}/scheduling`, { scheduledAt: app.at(60) }).expect(200)
    await app.to('reviewer', first, 'Approved').expect(200)
    app.pass(60)
    expect(await app.router.runDue()).toMatchObject({ applied: 1 })

    const found = await sdk.collect()
    expect(found.unitOf('change_request.transitions')).toBe('{transition}')
    expect(transitions(found)).toEqual([
      ['Approved', 'Scheduled', 1],
      ['Draft', 'In review', 2],
      ['In review', 'Approved', 1],
      ['In review', 'Rejected', 1],
      ['Scheduled', 'Applied', 1],
    ])
  })

  it('have change_request.time_to_approval from the last entry into In review, and time_to_apply without emergencies', async () => {
    await start()
    const id = await app.proposed()
    await app.to('author', id, 'In review').expect(200)
    app.pass(1_000)
    await app.to('reviewer', id, 'Approved').expect(200)
    app.pass(50)
    expect(await app.proposed()).toBe(id)
    app.pass(300)
    await app.to('reviewer', id, 'Approved').expect(200)
    app.pass(70)
    await app.to('reviewer', id, 'Applied').expect(200)
    const urgent = await app.proposed('author', 'staging')
    await app.to('author', urgent, 'In review').expect(200)
    await app.to('reviewer', urgent, 'Applied', { emergency: { reason: 'private reason' } }).expect(200)

    const found = await sdk.collect()
    expect(found.unitOf('change_request.time_to_approval')).toBe('s')
    expect(found.points('change_request.time_to_approval')).toEqual([
      { attributes: {}, value: { count: 2, sum: 1_300 } },
    ])
    expect(found.points('change_request.time_to_apply')).toEqual([{ attributes: {}, value: { count: 1, sum: 70 } }])
    expect(transitions(found)).toContainEqual(['In review', 'Applied', 1])
  })

  it('have change_request.schedule.lateness, from the scheduled time or from the end of a hold', async () => {
    const freezes: Freeze[] = []
    await start({ freezes: () => freezes })
    const scheduled = async (environment: string) => {
      const id = await app.proposed('author', environment)
      await app.to('author', id, 'In review').expect(200)
      await app.to('reviewer', id, 'Approved').expect(200)
      await app.to('reviewer', id, 'Scheduled', { scheduledAt: app.at(100) }).expect(200)
    }
    await scheduled('production')
    app.pass(130)
    expect(await app.router.runDue()).toMatchObject({ applied: 1 })
    expect((await sdk.collect()).points('change_request.schedule.lateness')).toEqual([
      { attributes: {}, value: { count: 1, sum: 30 } },
    ])

    await scheduled('staging')
    freezes.push({ name: 'holidays', reason: 'private reason', from: app.at(0), until: app.at(1_000) })
    app.pass(100)
    expect(await app.router.runDue()).toMatchObject({ applied: 0 })
    app.pass(905)
    expect(await app.router.runDue()).toMatchObject({ applied: 1 })
    const found = await sdk.collect()
    expect(found.unitOf('change_request.schedule.lateness')).toBe('s')
    expect(found.points('change_request.schedule.lateness')).toEqual([{ attributes: {}, value: { count: 2, sum: 35 } }])
  })

  it('have change_request.count, without drafts and closed ones', async () => {
    await start()
    await app.proposed()
    const id = await app.proposed('reviewer')
    await app.to('reviewer', id, 'In review').expect(200)
    const applied = await app.proposed('author', 'staging')
    await app.to('author', applied, 'In review').expect(200)
    await app.to('reviewer', applied, 'Approved').expect(200)
    await app.to('reviewer', applied, 'Applied').expect(200)

    const found = await sdk.collect()
    expect(found.unitOf('change_request.count')).toBe('{change_request}')
    expect(found.points('change_request.count')).toEqual(
      ['In review', 'Approved', 'Scheduled'].map((state, index) => ({
        attributes: { 'change_request.state': state },
        value: index === 0 ? 1 : 0,
      })),
    )
  })

  it('have the values of one read for 15 seconds, and no new ones of a database that is down', async () => {
    const { storage } = store
    let reads = 0
    let isDown = false
    app = await measuredApp({
      ...storage,
      async gauges() {
        reads += 1
        if (isDown) throw new Error('The database is down.')
        return storage.gauges()
      },
    })
    const failed = jest.fn()
    diag.setLogger({ error: failed, warn: failed, info() {}, debug() {}, verbose() {} })
    const elapsed = jest.spyOn(performance, 'now')
    const at = async (ms: number) => {
      elapsed.mockReturnValue(1_000_000 + ms)
      const [inReview] = (await sdk.collect()).points('change_request.count')
      return [inReview?.value, reads]
    }
    try {
      expect(await at(0)).toEqual([0, 1])
      await app.to('author', await app.proposed(), 'In review').expect(200)
      expect(await at(14_999)).toEqual([0, 1])
      isDown = true
      expect(await at(15_000)).toEqual([0, 2])
      isDown = false
      expect(await at(30_000)).toEqual([1, 3])
      expect(failed.mock.calls).toEqual([])
    } finally {
      elapsed.mockRestore()
      diag.disable()
    }
  })

  it('have the followers of this process, and the lag and delay of consumers', async () => {
    await start({ limits: { followPollMs: 20 } })
    app.router.events.consume({
      name: 'search',
      from: 'beginning',
      handle() {
        throw new Error('private-flag')
      },
    })
    await app.proposed()
    app.router.start()
    const view = async () => (await app.router.health()).consumers.items[0]
    await until(async () => (await view())?.failingSince != null)
    app.pass(90)

    const behind = await sdk.collect()
    expect(behind.unitOf('change_request.event.follower.count')).toBe('{follower}')
    expect(behind.points('change_request.event.follower.count')).toEqual([{ attributes: {}, value: 1 }])
    const attributes = { 'change_request.consumer.name': 'search' }
    const { lag } = (await view()) ?? {}
    expect(lag).toBeGreaterThan(0)
    expect(behind.unitOf('change_request.consumer.lag')).toBe('{event}')
    expect(behind.points('change_request.consumer.lag')).toEqual([{ attributes, value: lag }])
    expect(behind.unitOf('change_request.consumer.delay')).toBe('s')
    expect(behind.points('change_request.consumer.delay')).toEqual([{ attributes, value: 90 }])
  })

  it('have change_request.webhook.duration, with the name of the target and the status', async () => {
    await start({ limits: { followPollMs: 20 } })
    const receiver = await startReceiver((res, index) => void res.writeHead(index === 0 ? 503 : 204).end())
    const nowhere = await startReceiver()
    await nowhere.close()
    const target = { secrets: [secret], types: '*' } as const
    const targets = [
      { ...target, name: 'audit', url: receiver.url },
      { ...target, name: 'nowhere', url: nowhere.url },
    ]
    for (const consumer of webhooks({ targets })) app.router.events.consume(consumer)
    app.router.start()
    await until(async () => (await app.router.health()).consumers.items.every(({ state }) => state === 'running'))
    await app.proposed()
    await until(async () => {
      const found = await sdk.collect()
      return count(found, 'change_request.webhook.duration') >= 2
    })

    const found = await sdk.collect()
    expect(found.unitOf('change_request.webhook.duration')).toBe('s')
    const points = found.points('change_request.webhook.duration').map(({ attributes }) => attributes)
    expect(points).toHaveLength(2)
    expect(points).toContainEqual({ 'change_request.consumer.name': 'audit', 'http.response.status_code': 503 })
    expect(points).toContainEqual({ 'change_request.consumer.name': 'nowhere' })
    await receiver.close()
  })

  it('have change_request.commit.batch_size: the commands that one commit stores', async () => {
    const { storage } = store
    const gate = new Gate()
    let finds = 0
    let blocks = false
    app = await measuredApp({
      ...storage,
      find(...given) {
        finds += 1
        return storage.find(...given)
      },
      async commit(write) {
        if (blocks) await gate.pass()
        return storage.commit(write)
      },
    })
    const id = await app.proposed()
    blocks = true
    const first = app.comment('author', id).expect(204)
    const sent = first.then(() => undefined)
    await gate.arrived
    const waiting = Array.from({ length: 5 }, () =>
      app
        .comment('author', id)
        .expect(204)
        .then(() => undefined),
    )
    // Each of them reads the change request before it waits for the first one.
    await until(() => finds >= 6)
    gate.letGo()
    await Promise.all([sent, ...waiting])

    const found = await sdk.collect()
    const [{ count, sum } = { count: 0, sum: 0 }] = valuesOf(found, 'change_request.commit.batch_size')
    expect(found.unitOf('change_request.commit.batch_size')).toBe('{command}')
    expect(sum).toBe(7)
    expect(count).toBeLessThan(7)
  })

  it('have change_request.commit.retries after a lost race', async () => {
    let races = 2
    const { storage } = store
    const losing = {
      ...storage,
      commit: async (write: Parameters<typeof storage.commit>[0]) =>
        write.expectedVersion > 0 && races-- > 0 ? false : storage.commit(write),
    }
    app = await measuredApp(losing)
    await app.comment('author', await app.proposed()).expect(204)

    const found = await sdk.collect()
    expect(found.unitOf('change_request.commit.retries')).toBe('{retry}')
    expect(found.points('change_request.commit.retries')).toEqual([{ attributes: {}, value: 2 }])
  })

  it('have the project and the environment with byProject only', async () => {
    const freezes: Freeze[] = []
    await start({ telemetry: { byProject: true }, freezes })
    const id = await app.proposed()
    await app.to('author', id, 'In review').expect(200)
    await app.call('stranger', 'get', '/change-requests/open').expect(403)
    const found = await sdk.collect()
    await app.to('reviewer', id, 'Approved').expect(200)
    await app.to('reviewer', id, 'Applied').expect(200)
    const later = await sdk.collect()

    const inShop = { 'change_request.project': 'shop' }
    expect(found.points('change_request.operation.duration').map(({ attributes }) => attributes)).toEqual([
      { ...operation('addChanges'), ...place },
      { ...operation('changeState'), ...inShop },
      // Before the permission, the path may have any name.
      operation('getOpenChangeRequests', 'PermissionError'),
    ])
    expect(found.points('change_request.count')).toEqual([
      { attributes: { 'change_request.state': 'In review', ...place }, value: 1 },
    ])
    for (const name of ['transitions', 'time_to_approval', 'time_to_apply']) {
      for (const { attributes } of later.points(`change_request.${name}`)) expect(attributes).toMatchObject(place)
    }
  })
})

function valuesOf(found: Metrics, name: string, attributes: object = {}) {
  return found
    .points(name)
    .filter((point) => Object.entries(attributes).every(([key, value]) => point.attributes[key] === value))
    .map(({ value }) => value as { readonly count: number; readonly sum: number })
}
