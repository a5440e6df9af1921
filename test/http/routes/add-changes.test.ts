import { changeRequestsPath, enable, noon, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { rowCounts } from '../../support/databases/tables'
import { violations } from '../support/schema'

/** With the SHA-256 of `ben@example.com`. */
const gravatarOfBen =
  'https://gravatar.com/avatar/f871a76fb7b15231306b634dd91b385c48e9298974308e28e161d845e3e6f060?s=42&d=retro&r=g'

describe(`POST ${changeRequestsPath(':projectId', ':environment')}`, () => {
  let database: OpenDatabase
  let app: TestApp

  beforeEach(async () => {
    database = await sqlite.open()
    app = await startApp({ storage: database.storage })
  })

  afterEach(async () => {
    await app.close()
    await database.close()
  })

  it('creates a Draft with one change and returns it completely', async () => {
    const answer = await app.propose(enable())
    const ann = { id: 1, username: 'Ann Lee', imageUrl: people.ann.user.imageUrl }
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      etag: '"1-1"',
    })
    expect(answer.body).toEqual({
      id: 1,
      title: 'Change request #1',
      environment: 'production',
      project: 'shop',
      minApprovals: 1,
      features: [
        {
          name: 'checkout',
          changes: [{ id: 1, action: 'updateEnabled', payload: { enabled: true }, createdBy: ann, createdAt: noon }],
        },
      ],
      segments: [],
      approvals: [],
      rejections: [],
      comments: [],
      createdBy: ann,
      createdAt: noon,
      stateTimestamps: { Draft: noon },
      state: 'Draft',
    })
    expect(violations('change-request', answer.body)).toEqual([])
  })

  it('accepts a list, and groups it by flag in the order of the lowest change id, with separate segments', async () => {
    const { body } = await app.propose([
      enable('zebra'),
      { action: 'deleteSegment', payload: { id: 4 } },
      enable('apple'),
      enable('zebra', false),
      { action: 'updateSegment', feature: null, payload: { id: 5, name: 'beta testers', constraints: [] } },
    ])
    expect(
      body.features.map(({ name, changes }: never) => [name, (changes as { id: number }[]).map(({ id }) => id)]),
    ).toEqual([
      ['zebra', [1, 4]],
      ['apple', [3]],
    ])
    expect(body.segments).toMatchObject([
      { id: 2, action: 'deleteSegment', payload: { id: 4 }, name: 'Segment #4' },
      {
        id: 5,
        action: 'updateSegment',
        payload: { id: 5, name: 'beta testers', constraints: [] },
        name: 'beta testers',
      },
    ])
    expect(violations('change-request', body)).toEqual([])
  })

  it('adds later changes to the same change request, with a new ETag', async () => {
    await app.propose(enable('first'))
    const answer = await app.propose([enable('second'), enable('first', false)])
    expect(answer.body).toMatchObject({
      id: 1,
      features: [
        { name: 'first', changes: [{ id: 1 }, { id: 3, payload: { enabled: false } }] },
        { name: 'second', changes: [{ id: 2 }] },
      ],
    })
    expect(answer.headers.etag).toBe('"1-2"')
  })

  it('has a separate one per caller, project and environment', async () => {
    const ids = []
    for (const place of [{}, { key: people.ben.key }, { project: 'blog' }, { environment: 'development' }, {}]) {
      ids.push((await app.propose(enable(), place)).body.id)
    }
    expect(ids).toEqual([1, 2, 3, 4, 1])
    expect(await rowCounts(database.knex)).toMatchObject({ change_requests: 4, events: 9 })
  })

  it('stores nothing of a list when one of its changes is faulty', async () => {
    const answer = await app.propose([
      enable(),
      enable(),
      { action: 'updateEnabled', feature: 'checkout', payload: {} },
    ])
    expect(answer.status).toBe(400)
    expect(answer.body.details).toEqual([
      { path: '/body/2/payload/enabled', message: 'enabled is required and missing' },
    ])
    expect(await rowCounts(database.knex)).toEqual({ change_requests: 0, events: 0, event_counts: 0 })
  })

  it('returns {} as a missing payload, and keeps additional properties of an open payload', async () => {
    const { body } = await app.propose([
      { action: 'archiveFeature', feature: 'checkout', payload: { left: 'out' } },
      { action: 'deleteDependency', feature: 'checkout' },
      { action: 'deleteDependency', feature: 'checkout', payload: null },
      { action: 'deleteDependency', feature: 'checkout', payload: { feature: 'parent' } },
      { ...enable(), payload: { enabled: true, note: { déjà: [1, null, 'vu'] } } },
    ])
    expect(body.features[0].changes.map(({ payload }: { payload: unknown }) => payload)).toEqual([
      {},
      {},
      {},
      { feature: 'parent' },
      { enabled: true, note: { déjà: [1, null, 'vu'] } },
    ])
    expect(violations('change-request', body)).toEqual([])
  })

  it('ignores ids, authors, states and times in a body', async () => {
    const forged = { id: 77, createdBy: { id: 9 }, createdAt: '2000-01-01T00:00:00.000Z', state: 'Applied', version: 9 }
    const { body } = await app.propose([{ ...enable(), ...forged }])
    const plain = await app.propose(enable(), { project: 'blog' })
    const { id, ...change } = plain.body.features[0].changes[0]
    expect(body.features[0].changes).toEqual([{ ...change, id: 1 }])
    expect(body).toMatchObject({ state: 'Draft', id: 1, createdBy: { id: 1 } })
    expect(id).toBe(2)
  })

  it('names the caller by name, e-mail or username, with a gravatar if there is no picture', async () => {
    const { body } = await app.propose(enable(), { key: people.ben.key })
    expect(body.createdBy).toEqual({ id: 2, username: 'ben@example.com', imageUrl: gravatarOfBen })
    expect(violations('change-request', body)).toEqual([])
  })

  it('writes change-request-created, then change-added for each change, newest first in the log', async () => {
    await app.propose([enable('one'), enable('two', false)])
    await app.propose({ action: 'deleteSegment', payload: { id: 4 } }, { key: people.ann.key })
    const { body } = await app.events()
    const shared = { project: 'shop', environment: 'production', createdBy: 'ann@example.com', createdByUserId: 1 }
    expect(body).toMatchObject({
      totalEvents: 4,
      events: [
        {
          id: 4,
          type: 'change-added',
          featureName: null,
          data: { changeRequestId: 1, changeId: 3, action: 'deleteSegment', segmentId: 4, payload: { id: 4 } },
          ...shared,
        },
        { id: 3, type: 'change-added', featureName: 'two', data: { changeId: 2, feature: 'two' }, ...shared },
        { id: 2, type: 'change-added', featureName: 'one', data: { changeId: 1, feature: 'one' }, ...shared },
        { id: 1, type: 'change-request-created', featureName: null, data: { changeRequestId: 1 }, ...shared },
      ],
    })
    expect(body.events[1].data).toEqual({
      changeRequestId: 1,
      changeId: 2,
      action: 'updateEnabled',
      feature: 'two',
      payload: { enabled: false },
    })
    expect(body.events.every((event: { preData: null; ip: null }) => event.preData === null && event.ip === null)).toBe(
      true,
    )
  })

  it('names the flag in change-request-created when all changes are of one flag', async () => {
    await app.propose([enable('checkout'), enable('checkout', false)])
    const { body } = await app.events()
    expect(body.events.at(-1)).toMatchObject({ type: 'change-request-created', featureName: 'checkout' })
  })
})
