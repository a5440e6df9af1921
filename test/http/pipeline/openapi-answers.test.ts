import { enable, people, startApp, type TestApp, ticketField } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { checkedFetch, openapi } from '../../support/openapi-answers'
import { rewrite } from '../../support/rewrite'

const project = '/projects/shop'
const proposals = `${project}/environments/production/change-requests`
const ofProject = `${project}/change-requests`

const reviewer = {
  key: 'key-of-rita-0123456789',
  user: { id: 9, username: 'rita', email: 'rita@example.com' },
  grants: [{ permission: 'ADMIN' }],
}

/** The responses of a walk through all operations, as `operationId status`. */
const seen = new Set<string>()
const checked = checkedFetch(seen)

const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods))

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
  exportChangeRequests: 'project=shop',
  getEventActivity: 'from=2026-03-01&to=2026-03-31&project=shop',
  searchFlags: 'query=check',
  searchSegments: 'query=beta',
}
const bodies: Readonly<Record<string, unknown>> = {
  addChanges: enable(),
  previewChanges: { changes: [enable()] },
  editChange: enable(),
  tryChangeRequest: { context: { appName: 'web' } },
  changeState: { state: 'Cancelled' },
  presetSchedule: { scheduledAt: 'approval' },
  renameChangeRequest: { title: 'New' },
  setCustomFields: { ticket: 'ABC-1' },
  addComment: { text: 'New' },
  editComment: { text: 'Newer' },
  resolveComment: { resolved: true },
  requestApprovers: { reviewers: [] },
  objectToChangeRequest: { text: 'Too early.' },
  dismissObjection: { reason: 'It was tested on staging.' },
  reportCheck: { status: 'passed', digest: 'sha256:0' },
  acknowledgeEmergency: {},
  rebaseChangeRequest: {},
  revertChangeRequest: {},
  changeSettings: { changeRequestsEnabled: true },
}

const notForAuthors = ['acknowledgeEmergency', 'dismissObjection', 'reportCheck']

/** Undefined for a file. */
function bodyOf({ headers }: Response, text: string) {
  return text === '' || !headers.get('content-type')?.includes('json;') ? undefined : JSON.parse(text)
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

/** Successes are checked where they are recorded: test/package/recorded. */
describe('every rejection of every operation matches its schema', () => {
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
    return { status: response.status, headers: response.headers, body: bodyOf(response, text) }
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
      customFields: ticketField,
      objections: true,
      checks: [{ name: 'audit', required: false }],
    })
  })

  afterAll(async () => {
    await app.close()
    await database.close()
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
    await send('PUT', `${ofProject}/${draft.id}/objection`, bodies.objectToChangeRequest, asReviewer)
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
        objectionId: 1,
        ...names,
      }
      const path = one.path.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => String(values[name]))
      const key = notForAuthors.includes(one.operationId) ? asReviewer : {}
      return send(one.method, `${path}?${query}`, body, { ...key, ...headers })
    }
    for (const Accept of ['application/json', 'application/problem+json']) {
      for (const one of called) {
        const repeated = 'project=a&project=b&query=a&query=b&limit=0&cursor=never&from=today&after=none'
        const flawed = (more: object, names = {}, rest: Flaw = {}) =>
          call(one, names, { ...rest, headers: { Accept, ...more } })
        expect([one.operationId, (await flawed({ Authorization: 'no such key here' })).status]).toEqual([
          one.operationId,
          401,
        ])
        await flawed({ Authorization: people.eve.key })
        if (one.path.includes('{')) await flawed({}, unknown)
        if (one.path.includes('{')) await flawed({}, malformed)
        if (one.method === 'GET') await flawed({}, {}, { query: repeated })
        const outdated = { body: { changes: [{ ...enable(), expected: `sha256:${'0'.repeat(64)}` }] } }
        const flaw = one.operationId === 'previewChanges' ? flawed({}, {}, outdated) : flawed({ 'If-Match': '"0-0"' })
        if (one.statuses.includes('412')) expect((await flaw).status).toBe(412)
        if (one.statuses.includes('422')) expect((await flawed(used)).status).toBe(422)
        if (one.body === undefined) continue
        await flawed({}, {}, { body: '{' })
        expect((await flawed({}, {}, { body: { text: 'x'.repeat(2000) } })).status).toBe(413)
        expect((await flawed({ 'Content-Type': 'text/plain' })).status).toBe(415)
      }
    }
    const { digest } = (await send('GET', `${ofProject}/${draft.id}/review`)).body
    await move(draft.id, 'Cancelled')
    for (const one of called.filter(({ statuses }) => statuses.includes('409'))) {
      await call(one, {}, one.operationId === 'reportCheck' ? { body: { status: 'passed', digest } } : {})
    }
  })
})

describe('the walk', () => {
  it('had every kind of rejection that is documented, except those of a failing storage, of concurrent calls, and of requireRevision', () => {
    const documented = operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    )
    const missing = documented.filter((one) => / 4\d\d$/.test(one) && !seen.has(one))
    expect(missing.sort()).toEqual([
      'addChanges 409',
      'addComment 409',
      'changeSettings 409',
      'changeState 428',
      'dismissObjection 428',
      'getEventCreators 400',
      'getEventCreators 403',
      'getEventCreators 404',
      'liftObjection 428',
      'presetSchedule 428',
      'searchChangeRequests 403',
      'searchChangeRequests 404',
    ])
  })
})
