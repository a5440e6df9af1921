import { ConsumerStop, memoryStorage } from '../../../src/index'
import { people, startApp, type TestApp } from '../../support/app'
import { until } from '../../support/consumers/consumer-app'
import { sendRaw } from '../support/raw-request'
import { expectRefusal } from '../support/refusal'
import { violations } from '../support/schema'

describe('the consumers of the log over HTTP', () => {
  let app: TestApp
  let attempts = 0

  beforeAll(async () => {
    app = await startApp({ storage: memoryStorage() })
    await app.router.events.record({ type: 'feature-archived', project: 'shop', featureName: 'checkout' })
    app.router.events.consume({
      name: 'audit',
      from: 'beginning',
      handle() {
        attempts += 1
        if (attempts === 1) throw new ConsumerStop('The sink was deleted.')
      },
    })
    app.router.start()
    await until(async () => (await listed())[0]?.state === 'stopped')
  })
  afterAll(() => app.close())

  const send = (method: string, path: string, key: string = people.ann.key) =>
    sendRaw(app.port, { method, path: `/api/admin${path}`, headers: { Authorization: key } })
  const listed = async () => (await send('GET', '/consumers')).body?.consumers ?? []

  it('are listed for an admin of the instance, as in health()', async () => {
    const { status, headers, body } = await send('GET', '/consumers')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(violations('consumers', body)).toEqual([])
    expect(body.consumers).toMatchObject([{ name: 'audit', state: 'stopped', reason: 'The sink was deleted.', lag: 1 }])
    expect(body.consumers[0].failingSince).not.toBe(null)
    expect(body.consumers[0].delay).toBe((await app.router.health()).consumers.items[0]?.delay)
  })

  it('are not shown to other callers, and not retried for them', async () => {
    expectRefusal(await send('GET', '/consumers', people.ben.key), 403, 'PermissionError')
    expectRefusal(await send('POST', '/consumers/audit/retry', people.ben.key), 403, 'PermissionError')
  })

  it.each([
    ['unknown', 404, 'NotFoundError'],
    ['a%20b', 400, 'BadDataError'],
  ])('are not retried by the name %s', async (name, status, error) => {
    expectRefusal(await send('POST', `/consumers/${name}/retry`), status, error)
  })

  it('are attempted now after a retry, also when they were stopped', async () => {
    const { status, text } = await send('POST', '/consumers/audit/retry')
    expect([status, text]).toEqual([204, ''])
    await until(async () => (await listed())[0].position === 1)
    expect((await listed())[0]).toMatchObject({ state: 'running', attempt: 1, failingSince: null, reason: null })
    expect(attempts).toBe(2)
  })
})

describe('a storage without consumers', () => {
  it('has an empty list, and nothing to retry', async () => {
    const { consumers: _, ...storage } = memoryStorage()
    const app = await startApp({ storage })
    const send = (method: string, path: string) =>
      sendRaw(app.port, { method, path: `/api/admin${path}`, headers: { Authorization: people.ann.key } })
    expect((await send('GET', '/consumers')).body).toEqual({ consumers: [] })
    expectRefusal(await send('POST', '/consumers/audit/retry'), 404, 'NotFoundError')
    expect((await app.router.health()).consumers).toEqual({ lowestPosition: null, items: [] })
    await app.close()
  })
})
