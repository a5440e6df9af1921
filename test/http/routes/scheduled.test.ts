import { apiKeys, type Change, memoryStorage, type Storage } from '../../../src'
import { createClient } from '../../../src/client/index'
import { storedFacts } from '../../../src/kernel/writer/stored-facts'
import { sampleChange, sampleChangeRequest } from '../../../src/testing/samples'
import { enable, people, startApp, type TestApp } from '../../support/app'
import { sendRaw } from '../support/raw-request'
import { violations } from '../support/schema'

const grants = (...permissions: string[]) => permissions.map((permission) => ({ permission }))
const callers = {
  ann: { key: 'key-of-ann-0123456789', user: { id: 1, username: 'ann' }, grants: grants('ADMIN') },
  ben: { key: 'key-of-ben-0123456789', user: { id: 2, username: 'ben' }, grants: grants('APPROVE_CHANGE_REQUEST') },
}
const requests = '/api/admin/projects/shop/change-requests'

describe('GET .../change-requests/scheduled', () => {
  let app: TestApp

  async function seed(storage: Storage, id: number, more: object, ...changes: object[]): Promise<void> {
    const all = changes.map((change, index): Change => ({ ...sampleChange(id * 10 + index), ...change }))
    const schedule = { scheduledAt: '2999-01-01T00:00:00.000Z', status: 'pending', reason: null } as const
    const changeRequest = { ...sampleChangeRequest({ id, state: 'Scheduled', changes: all }), schedule, ...more }
    const write = { version: 1, expectedVersion: 0, before: null, events: [] }
    if (!(await storage.commit({ ...write, changeRequest, ...storedFacts(changeRequest) })))
      throw new Error(`${id} was not stored`)
  }

  beforeAll(async () => {
    const storage = memoryStorage()
    const on = (feature: string) => ({ feature })
    const strategy = (action: string, id: string) => ({ action, feature: 'search', payload: { id } })
    await seed(storage, 1, {}, on('checkout'))
    await seed(storage, 2, { title: 'Sale' }, on('other'), on('checkout'), strategy('deleteStrategy', 's1'))
    await seed(storage, 3, {}, strategy('updateStrategy', 's1'), strategy('updateMilestoneStrategy', 's2'))
    await seed(storage, 4, {}, { action: 'patchVariant', feature: 'basket', payload: { variants: [] } })
    await seed(storage, 5, {}, { action: 'updateSegment', feature: null, payload: { id: 's1', name: 'beta' } })
    await seed(storage, 6, { project: 'blog' }, on('checkout'))
    await seed(storage, 7, { state: 'Approved', schedule: null }, on('checkout'), strategy('updateStrategy', 's1'))
    app = await startApp({ storage, authenticate: apiKeys(Object.values(callers)) })
  })

  afterAll(() => app.close())

  const get = (query: string) =>
    sendRaw(app.port, {
      method: 'GET',
      path: `${requests}/scheduled${query}`,
      headers: { Authorization: callers.ben.key },
    })

  it.each([
    ['', []],
    ['?feature=bad%20name', []],
    ['?feature=checkout&feature=basket', [4, 2, 1]],
    ['?strategyId=s2&strategyId=s1', [3, 2]],
    ['?feature=nothing&strategyId=s2&variantForFlag=basket', [4, 3]],
  ])('%s lists %j', async (query, ids) => {
    const { status, body } = await get(query)
    expect([status, violations('scheduled-list', body)]).toEqual([200, []])
    expect(body.map(({ id }: { id: number }) => id)).toEqual(ids)
  })
})

describe("PUT .../state to Scheduled, with schedule: 'here'", () => {
  it('is accepted from start() until close(); without start(), the log names it once', async () => {
    const lines: string[] = []
    const logger = { debug() {}, info() {}, warn: (_: object, text: string) => void lines.push(text), error() {} }
    const authenticate = apiKeys(Object.values(callers))
    const app = await startApp({ storage: memoryStorage(), authenticate, recordOnly: true, schedule: 'here', logger })
    const { id } = (await app.propose(enable())).body
    const put = async (body: object, { key } = callers.ann) => {
      const headers = { Authorization: key, 'Content-Type': 'application/json' }
      const path = `${requests}/${id}/state`
      const answer = await sendRaw(app.port, { method: 'PUT', path, headers, body: JSON.stringify(body) })
      return [answer.status, answer.body.details?.[0].code]
    }
    const scheduled = { state: 'Scheduled', scheduledAt: '2999-01-01T00:00:00.000Z' }
    await put({ state: 'In review' })
    await put({ state: 'Approved' }, callers.ben)
    const before = [await put(scheduled), await put(scheduled)]
    app.router.start()
    const running = await put(scheduled)
    await app.router.close()
    const after = await put(scheduled)
    expect([...before, running, after]).toEqual([
      [409, 'no-scheduler'],
      [409, 'no-scheduler'],
      [200, undefined],
      [409, 'no-scheduler'],
    ])
    expect(lines).toEqual([expect.stringContaining('router.start() has not been called')])
    await app.close()
  })
})

describe('with schedule: off', () => {
  it('a schedule, also one before the approval, is 409, and one warning names the option', async () => {
    const lines: string[] = []
    const logger = { debug() {}, info() {}, error() {}, warn: (_: object, message: string) => void lines.push(message) }
    const app = await startApp({ storage: memoryStorage(), recordOnly: true, logger })
    const client = createClient({ api: `http://127.0.0.1:${app.port}/api/admin`, key: people.ann.key })
    const { id } = (await app.propose(enable())).body
    const place = { project: 'shop', id }
    const scheduledAt = '2999-01-01T00:00:00.000Z'
    await client.setState(place, { state: 'In review' })
    await client.review(place)
    expect(lines).toEqual([])
    const tries = [
      () => client.presetSchedule(place, { scheduledAt }),
      () => client.setState(place, { state: 'Scheduled', scheduledAt }),
    ]
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ status: 409 })
    expect(lines).toEqual([
      'A caller tried to schedule a change request. The response is 409, because the option schedule is "off", its default. ' +
        'Set it to "here", or to "elsewhere" if another process applies schedules: see docs/review.md#schedule-a-change.',
    ])
    await app.close()
  })
})

/** @see contract 5.3, 5.6 */
describe('PUT .../state to Scheduled, with a scheduler', () => {
  let app: TestApp
  const update = { action: 'updateSegment', feature: null, payload: { id: 4, name: 'beta', constraints: [] } }

  beforeAll(async () => {
    const authenticate = apiKeys(Object.values(callers))
    app = await startApp({ storage: memoryStorage(), authenticate, recordOnly: true, schedule: 'elsewhere' })
  })

  afterAll(() => app.close())

  const send = async (method: string, path: string, body?: object, key = callers.ann.key) =>
    sendRaw(app.port, {
      method,
      path: `${requests}/${path}`,
      headers: { Authorization: key, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })

  async function approved(): Promise<number> {
    const { feature: _, ...change } = update
    const { id } = (await app.propose(change)).body
    await send('PUT', `${id}/state`, { state: 'In review' })
    expect((await send('PUT', `${id}/state`, { state: 'Approved' }, callers.ben.key)).status).toBe(200)
    return id
  }

  const schedule = (id: number, more: object = {}) =>
    send('PUT', `${id}/state`, { state: 'Scheduled', scheduledAt: '2026-03-04T13:00:00+01:00', ...more })

  it('leaves due change requests to another process, except in runDue()', async () => {
    const { id } = (await schedule(await approved())).body
    app.router.start()
    expect((await app.router.health()).schedule.due).toBeGreaterThan(0)
    expect((await app.router.runDue()).left).toBe(0)
    expect((await send('GET', `${id}`)).body.state).toBe('Applied')
  })
})
