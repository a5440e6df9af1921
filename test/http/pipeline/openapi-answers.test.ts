import type { ChangeRequestRouterOptions } from '../../../src'
import { createChangeRequestRouter, memoryStorage } from '../../../src'
import { enable, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { answerProblems, checkedFetch, openapi, type WireAnswer } from '../../support/openapi-answers'
import { flagsWereOff, rewrite } from '../support/rewrite'

const project = '/projects/shop'
const inEnvironment = `${project}/environments/production`
const proposals = `${inEnvironment}/change-requests`
const ofProject = `${project}/change-requests`
/** Paths for reading below the change requests of a project. */
const lists = ['config', 'scheduled', 'count', 'open', 'pending', 'pending/checkout', 'actionable']

const reviewer = {
  key: 'key-of-rita-0123456789',
  user: { id: 9, username: 'rita', email: 'rita@example.com' },
  grants: [{ permission: 'ADMIN' }],
}

/** The responses of a walk through all operations, as `operationId status`. */
const seen = new Set<string>()
const checked = checkedFetch(seen)

const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods))

/** The paths of the layers of a router in Express 4 and 5. */
function registered(options: Partial<ChangeRequestRouterOptions> = {}): string[] {
  const router = createChangeRequestRouter({
    storage: memoryStorage(),
    authenticate: () => null,
    logger: false,
    ...options,
  })
  const { stack } = router as unknown as { stack: { route?: { path: string; methods: Record<string, boolean> } }[] }
  return stack.flatMap(({ route }) =>
    route === undefined
      ? []
      : Object.keys(route.methods).map((method) => `${method} ${route.path.replace(/:(\w+)/g, '{$1}')}`),
  )
}

interface Called {
  readonly operationId: string
  readonly method: string
  /** Below the base path. */
  readonly path: string
  readonly statuses: readonly string[]
  readonly query: string
  /** A valid one; undefined for an operation that reads no body. */
  readonly body: unknown
}

interface Flaw {
  readonly query?: string
  readonly headers?: object
  readonly body?: unknown
}

const queries: Readonly<Record<string, string>> = {
  searchEvents: 'project=IS:shop',
  getEventActivity: 'from=2026-03-01&to=2026-03-31&project=shop',
  searchFlags: 'query=check',
}
const bodies: Readonly<Record<string, unknown>> = {
  addChanges: enable(),
  editChange: enable(),
  tryChangeRequest: { context: { appName: 'web' } },
  changeState: { state: 'Cancelled' },
  presetSchedule: { scheduledAt: 'approval' },
  renameChangeRequest: { title: 'New' },
  addComment: { text: 'New' },
  editComment: { text: 'Newer' },
  resolveComment: { resolved: true },
  requestApprovers: { reviewers: [] },
  acknowledgeEmergency: {},
  rebaseChangeRequest: {},
  revertChangeRequest: {},
  changeSettings: { changeRequestsEnabled: true },
}

/** Every operation, with a valid request. */
const called = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, { operationId, responses }]): Called => ({
      operationId,
      method: method.toUpperCase(),
      path: path.replace('/api/admin', ''),
      statuses: Object.keys(responses),
      query: queries[operationId] ?? '',
      body: bodies[operationId],
    }),
  ),
)

const trial = { context: { appName: 'web' } }
const activity = '/search/events/activity?from=2026-03-01&to=2026-03-31'

describe('openapi.json and the router', () => {
  it('have the same routes', () => {
    const documented = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(registered().sort()).toEqual(documented.sort())
  })
})

describe('the check of answers', () => {
  const answer: WireAnswer = {
    method: 'GET',
    path: '/api/admin/projects/shop/change-requests/count',
    status: 200,
    headers: new Headers({ 'Content-Type': 'application/json; charset=utf-8' }),
    text: '{"total":0,"applied":0,"rejected":0,"reviewRequired":0,"approved":0,"scheduled":0}',
  }

  it('finds nothing in a response that matches', () => {
    expect(answerProblems(answer)).toEqual([])
    expect(answerProblems({ ...answer, path: '/of/the/host', status: 418 })).toEqual([])
  })

  it.each<[string, Partial<WireAnswer>, unknown]>([
    ['a body that lacks a property', { text: '{"total":0}' }, { keyword: 'required' }],
    ['a body with one too many', { text: `{"more":1,${answer.text.slice(1)}` }, { keyword: 'additionalProperties' }],
    ['an error in another shape', { status: 404, text: '{"message":"gone"}' }, { keyword: 'required' }],
    ['a status that is not documented', { status: 418 }, 'countChangeRequests has no response 418'],
    ['another media type', { headers: new Headers({ 'Content-Type': 'text/html' }) }, 'the media type is text/html'],
    [
      'a body where there is none',
      { method: 'PUT', path: '/api/admin/projects/shop/change-requests/1/title', status: 204, text: '{}' },
      'there is a body',
    ],
    ['a change request without a tag', { path: '/api/admin/projects/shop/change-requests/1' }, 'ETag is missing'],
  ])('finds %s', (_, wrong, problem) => {
    const expected = typeof problem === 'string' ? problem : expect.objectContaining(problem as object)
    expect(answerProblems({ ...answer, ...wrong })).toContainEqual(expected)
  })
})

describe('every response of a walk through all operations matches its schema', () => {
  let database: OpenDatabase
  let app: TestApp

  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const sent = {
      Authorization: people.ann.key,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    }
    const response = await checked(`http://127.0.0.1:${app.port}/api/admin${path}`, {
      method,
      headers: { ...sent, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const asReviewer = { Authorization: reviewer.key }
  const move = (id: number, state: string, headers = {}) => send('PUT', `${ofProject}/${id}/state`, { state }, headers)

  beforeAll(async () => {
    database = await sqlite.open()
    app = await startApp({
      storage: database.storage,
      authenticate: (req) =>
        [...Object.values(people), reviewer]
          .map(({ key, user, grants }) => ({ key, actor: { ...user, grants } }))
          .find(({ key }) => key === req.headers.authorization)?.actor ?? null,
      users: {
        find: (ids) => [reviewer.user].filter(({ id }) => ids.includes(id)),
        reviewers: () => [reviewer.user],
      },
      directory: { hasProject: (name) => name === 'shop', searchFeatures: () => ['checkout'] },
      limits: { bodyBytes: 2000 },
      playground: () => ({ input: {}, features: [] }),
      recordOnly: true,
      emergency: true,
      schedule: 'elsewhere',
      freezes: [{ name: 'Sale', reason: 'Sales', from: '2999-11-27T00:00:00Z' }],
    })
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it('from a proposal to Applied, with segments, votes, comments and approvers', async () => {
    const segment = { action: 'updateSegment', payload: { id: 3, name: 'beta', constraints: [] } }
    const { body: draft } = await send('POST', proposals, [enable(), enable('basket'), segment])
    const path = `${ofProject}/${draft.id}`
    const [first, second] = draft.features.flatMap(({ changes }: { changes: { id: number }[] }) => changes)
    const statuses = [
      await send('PUT', `${path}/changes/${first.id}`, enable('search')),
      await send('DELETE', `${path}/changes/${second.id}`),
      await send('PUT', `${path}/title`, { title: 'All of it' }),
      await send('POST', `${path}/comments`, { text: 'Look' }),
      await send('PUT', `${path}/comments/1`, { text: 'Look here' }),
      await send('PUT', `${path}/comments/1/resolution`, { resolved: true }),
      await send('DELETE', `${path}/comments/1`),
      await send('PUT', `${path}/approvers`, { reviewers: [reviewer.user.id] }),
      await send('GET', `${path}/approvers`),
      await send('GET', `${ofProject}/available-reviewers/production`),
      await move(draft.id, 'In review'),
      await send('GET', path),
      await send('PUT', `${path}/scheduling`, { scheduledAt: 'approval' }),
      await send('DELETE', `${path}/scheduling`),
      await send('GET', `${path}/review`),
      await send('GET', `${path}/timeline`),
      await send('GET', '/reviews?needs=mine'),
      await send('POST', `/playground/change-request/${draft.id}`, trial),
      await send('GET', '/me?project=shop'),
      await move(draft.id, 'Approved', asReviewer),
      await move(draft.id, 'Applied'),
      await send('GET', ofProject),
      await send('GET', '/search/change-requests'),
      await send('GET', '/events'),
      await send('GET', '/events?project=shop'),
      await send('GET', '/events/checkout'),
      await send('GET', '/search/events?feature=IS:checkout'),
      await send('GET', activity),
      await send('GET', '/event-creators'),
    ].map(({ status }) => status)
    const empty = [2, 3, 4, 5, 6, 7, 13]
    expect(statuses).toEqual(statuses.map((_, index) => (empty.includes(index) ? 204 : 200)))
  })

  it('a deleted draft, a rejected change request, settings, lists and counts', async () => {
    const { body: discarded } = await send('POST', proposals, enable())
    expect((await send('DELETE', `${ofProject}/${discarded.id}`)).status).toBe(200)
    const { body: rejected } = await send('POST', proposals, enable())
    await move(rejected.id, 'In review')
    expect((await move(rejected.id, 'Rejected', asReviewer)).body.rejections).toHaveLength(1)
    const settings = `${proposals}/config`
    expect((await send('PUT', settings, { changeRequestsEnabled: false })).status).toBe(204)
    expect((await send('GET', `${ofProject}/config`)).body).toMatchObject([{ requiredApprovals: null }])
    expect((await send('PUT', settings, { changeRequestsEnabled: true })).status).toBe(204)
    for (const below of lists) {
      expect([below, (await send('GET', `${ofProject}/${below}`)).status]).toEqual([below, 200])
    }
    expect((await send('GET', `${proposals}/rules`)).body).toEqual({ rules: [] })
    expect((await send('GET', `${proposals}/freezes`)).body).toMatchObject({ freezes: [{ name: 'Sale' }] })
    expect((await send('GET', `${proposals}/actions`)).body.actions[0]).toHaveProperty('schema')
    expect((await send('GET', `${inEnvironment}/flags?query=check`)).body).toEqual({ flags: ['checkout'] })
    expect((await send('GET', `${inEnvironment}/flags/checkout`)).body).toMatchObject({ state: null })
    expect((await send('GET', `${inEnvironment}/segments/4`)).body).toMatchObject({ state: null, usedBy: null })
    for (const at of ['/events', '/events/checkout']) {
      const { headers } = await send('GET', at)
      expect((await send('GET', at, undefined, { 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304)
    }
  })

  it('people whom the user directory no longer knows', async () => {
    const { body: draft } = await send('POST', proposals, enable())
    await send('POST', `${ofProject}/${draft.id}/comments`, { text: 'Still here' })
    const { body } = await send('GET', `${ofProject}/${draft.id}`)
    expect([body.createdBy.username, body.comments[0].createdBy.username]).toEqual([null, null])
    await move(draft.id, 'Cancelled')
  })

  it('an emergency and its acknowledgement', async () => {
    const { body: draft } = await send('POST', proposals, enable())
    await send('PUT', `${ofProject}/${draft.id}/state`, { state: 'Applied', emergency: { reason: 'It cannot wait.' } })
    expect((await send('POST', `${ofProject}/${draft.id}/acknowledgement`, {}, asReviewer)).status).toBe(200)
  })

  it('an interrupted apply that is settled', async () => {
    const { body: draft } = await send('POST', proposals, enable())
    for (const state of ['In review', 'Approved']) await move(draft.id, state, state === 'Approved' ? asReviewer : {})
    const by = { person: people.ann.user, signature: 'ann@example.com', ip: null }
    const startedAt = '2026-03-01T12:00:00.000Z'
    const applying = { applyId: 'an-apply', startedAt, digest: 'sha256:0', by }
    await rewrite(database.storage, draft.id, () => ({ applying }))
    const flags = {
      current: async () => ({ features: new Map(), segments: new Map() }),
      apply: async () => [],
      outcome: async () => [],
    }
    const other = await startApp({
      storage: database.storage,
      authenticate: () => ({ ...reviewer.user, grants: reviewer.grants }),
      flags,
    })
    const path = `http://127.0.0.1:${other.port}/api/admin${ofProject}/${draft.id}`
    expect(await (await checked(`${path}/review`)).json()).toHaveProperty('applying', {
      since: startedAt,
      by: expect.objectContaining({ id: by.person.id }),
      interrupted: true,
    })
    const settled = await checked(`${path}/settlement`, { method: 'POST' })
    const tag = settled.headers.get('etag')
    expect([settled.status, tag]).toEqual([200, `"${draft.id}-5"`])
    expect(await settled.json()).toMatchObject({ id: draft.id, state: 'Applied' })
    await other.close()
  })

  it('a rebase, a copy, and a revert with its preview', async () => {
    const { body: draft } = await send('POST', proposals, enable())
    const path = `${ofProject}/${draft.id}`
    const statuses = []
    for (const [below, body] of [
      ['copy', undefined],
      ['rebase', {}],
    ] as const) {
      statuses.push((await send('POST', `${path}/${below}`, body)).status)
    }
    for (const state of ['In review', 'Approved', 'Applied']) {
      await move(draft.id, state, state === 'Approved' ? asReviewer : {})
    }
    await rewrite(database.storage, draft.id, flagsWereOff)
    statuses.push((await send('GET', `${path}/revert`)).status)
    for (const [below, body] of [
      ['revert', {}],
      ['copy', undefined],
    ] as const) {
      const made = await send('POST', `${path}/${below}`, body)
      statuses.push(made.status)
      await send('DELETE', `${ofProject}/${made.body.id}`)
    }
    expect(statuses).toEqual([409, 200, 200, 200, 200])
  })

  it('consumers of the log', async () => {
    app.router.events.consume({ name: 'audit', handle() {} })
    app.router.start()
    while ((await app.router.health()).consumers.items[0]?.state !== 'running') await new Promise(setImmediate)
    expect((await send('GET', '/consumers')).status).toBe(200)
    expect((await send('POST', '/consumers/audit/retry')).status).toBe(204)
  })

  it('a stream that cannot continue', async () => {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': '999999' }
    for (const path of ['/events', '/events/checkout', '/search/events']) {
      expect((await send('GET', path, undefined, headers)).status).toBe(409)
    }
  })

  it('each flaw of a request, as an error and as problem details', async () => {
    const used = { 'Idempotency-Key': 'used' }
    const { body: draft } = await send('POST', proposals, enable('used'), used)
    const changeId = draft.features[0].changes[0].id
    await send('POST', `${ofProject}/${draft.id}/comments`, { text: 'Look' })
    await move(draft.id, 'In review')
    const known = { projectId: 'shop', environment: 'production', featureName: 'checkout', name: 'audit' }
    const unknown = { ...known, projectId: 'nowhere', name: 'unknown', id: 999_999 }
    const malformed = { projectId: 'bad%20name', featureName: 'bad%20name', name: 'a%20b' }
    /** The values in the path, and the rest of a request. */
    const call = (one: Called, names: object, { query = one.query, headers = {}, body = one.body }: Flaw = {}) => {
      const values = {
        ...known,
        id: draft.id,
        changeRequestId: draft.id,
        changeId,
        commentId: 1,
        segmentId: 4,
        ...names,
      }
      const path = one.path.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => String(values[name]))
      // The author cannot acknowledge an emergency.
      const key = one.operationId === 'acknowledgeEmergency' ? asReviewer : {}
      return send(one.method, `${path}?${query}`, body, { ...key, ...headers })
    }
    for (const Accept of ['application/json', 'application/problem+json']) {
      for (const one of called) {
        const flawed = (more: object, names = {}, rest: Flaw = {}) =>
          call(one, names, { ...rest, headers: { Accept, ...more } })
        expect([one.operationId, (await flawed({ Authorization: 'no such key here' })).status]).toEqual([
          one.operationId,
          401,
        ])
        await flawed({ Authorization: people.eve.key })
        if (one.path.includes('{')) await flawed({}, unknown)
        if (one.path.includes('{')) await flawed({}, malformed)
        if (one.method === 'GET') await flawed({}, {}, { query: 'project=a&project=b&limit=0&cursor=never&from=today' })
        if (one.statuses.includes('412')) expect((await flawed({ 'If-Match': '"0-0"' })).status).toBe(412)
        if (one.statuses.includes('422')) expect((await flawed(used)).status).toBe(422)
        if (one.body === undefined) continue
        await flawed({}, {}, { body: '{' })
        expect((await flawed({}, {}, { body: { text: 'x'.repeat(2000) } })).status).toBe(413)
        expect((await flawed({ 'Content-Type': 'text/plain' })).status).toBe(415)
      }
    }
    await move(draft.id, 'Cancelled')
    for (const one of called.filter(({ statuses }) => statuses.includes('409'))) await call(one, {})
  })
})

describe('the walk', () => {
  it('had the success response of every operation', () => {
    const good = operations.map(({ operationId, responses }) => `${operationId} ${Object.keys(responses)[0]}`)
    expect(good.filter((one) => !seen.has(one))).toEqual([])
  })

  it('had every kind of rejection that is documented, except those of a failing storage, of concurrent calls, and of requireRevision', () => {
    const documented = operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    )
    const missing = documented.filter((one) => !/ 50[03]$/.test(one) && !seen.has(one))
    expect(missing.sort()).toEqual([
      'addChanges 409',
      'addComment 409',
      'changeSettings 409',
      'changeState 428',
      'getEventCreators 400',
      'getEventCreators 403',
      'getEventCreators 404',
      'presetSchedule 428',
      'searchChangeRequests 403',
      'searchChangeRequests 404',
    ])
  })
})
