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

  /** Reasons to reject any POST with a body: as an error and as problem details. */
  async function expectRefusals(path: string, tooLong: object, caller = {}): Promise<void> {
    const asked = async (headers = {}, body: unknown = {}, at = path) =>
      (await send('POST', at, body, { ...caller, ...headers })).status
    for (const accept of ['application/json', 'application/problem+json']) {
      const accepting = { Accept: accept }
      const refused = [
        await asked({ ...accepting, Authorization: 'no such key here' }),
        await asked({ ...accepting, Authorization: people.eve.key }),
        await asked(accepting, {}, path.replace(/\d+/, '999999')),
        await asked({ ...accepting, 'If-Match': '"0-0"' }),
        await asked(accepting, '{'),
        await asked(accepting, tooLong),
        await asked({ ...accepting, 'Content-Type': 'text/plain' }),
      ]
      expect(refused).toEqual([401, 403, 404, 412, 400, 413, 415])
    }
  }

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

  it('an Idempotency-Key, with the same request and with a different one', async () => {
    const key = { 'Idempotency-Key': 'walk-1' }
    const { body: draft } = await send('POST', proposals, enable(), key)
    const again = await send('POST', proposals, enable(), key)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([draft, 'true'])
    expect((await send('POST', proposals, enable('other'), key)).status).toBe(422)
    const path = `${ofProject}/${draft.id}/comments`
    const other = { 'Idempotency-Key': 'walk-2' }
    expect((await send('POST', path, { text: 'once' }, other)).status).toBe(204)
    expect((await send('POST', path, { text: 'once' }, other)).status).toBe(204)
    expect((await send('POST', path, { text: 'twice' }, other)).status).toBe(422)
    await move(draft.id, 'Cancelled')
  })

  it('an emergency and its acknowledgement, with every reason to reject it', async () => {
    const { body: draft } = await send('POST', proposals, enable())
    await send('PUT', `${ofProject}/${draft.id}/state`, { state: 'Applied', emergency: { reason: 'It cannot wait.' } })
    const path = `${ofProject}/${draft.id}/acknowledgement`
    await expectRefusals(path, { comment: 'x'.repeat(2000) }, asReviewer)
    const asked = async () => (await send('POST', path, {}, asReviewer)).status
    expect([await asked(), await asked()]).toEqual([200, 409])
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

  it('a rebase, with every reason to reject it', async () => {
    const { body: draft } = await send('POST', proposals, enable())
    const path = `${ofProject}/${draft.id}/rebase`
    await expectRefusals(path, { take: 'x'.repeat(2000) })
    const asked = async (headers = {}) => (await send('POST', path, {}, headers)).status
    expect(await asked()).toBe(200)
    await move(draft.id, 'Cancelled')
    expect([await asked(), await asked({ Accept: 'application/problem+json' })]).toEqual([409, 409])
  })

  it('a copy, with every reason to reject it', async () => {
    const { body: draft } = await send('POST', proposals, enable())
    const path = `${ofProject}/${draft.id}/copy`
    const copied = async (headers = {}, at = path) => (await send('POST', at, undefined, headers)).status
    for (const accept of ['application/json', 'application/problem+json']) {
      const accepting = { Accept: accept }
      const refused = [
        await copied({ ...accepting, Authorization: 'no such key here' }),
        await copied({ ...accepting, Authorization: people.eve.key }),
        await copied(accepting, path.replace(/\d+/, '999999')),
        await copied(accepting, path.replace('shop', 'a%00')),
        await copied({ ...accepting, 'If-Match': '"0-0"' }),
        await copied(accepting),
      ]
      expect(refused).toEqual([401, 403, 404, 400, 412, 409])
    }
    await move(draft.id, 'Cancelled')
    const once = { 'Idempotency-Key': 'propose-again' }
    const { status, body: copy } = await send('POST', path, undefined, once)
    expect([status, (await send('POST', proposals, enable(), once)).status]).toEqual([200, 422])
    expect(await copied(once, path.replace(/\d+/, String(copy.id)))).toBe(422)
    await send('DELETE', `${ofProject}/${copy.id}`)
  })

  it('a revert and its preview, with every reason to reject them', async () => {
    const { body: draft } = await send('POST', proposals, enable())
    const path = `${ofProject}/${draft.id}/revert`
    const asked = async (method: string, headers = {}, body: unknown = undefined, at = path) =>
      (await send(method, at, body, headers as Record<string, string>)).status
    for (const accept of ['application/json', 'application/problem+json']) {
      const accepting = { Accept: accept }
      for (const [method, body] of [['GET'], ['POST', {}]] as const) {
        const refused = [
          await asked(method, { ...accepting, Authorization: 'no such key here' }, body),
          await asked(method, { ...accepting, Authorization: people.eve.key }, body),
          await asked(method, accepting, body, path.replace(String(draft.id), '999999')),
          await asked(method, accepting, body, path.replace('shop', 'a%00')),
          await asked(method, accepting, body),
        ]
        expect(refused).toEqual([401, 403, 404, 400, 409])
      }
      const refused = [
        await asked('POST', { ...accepting, 'If-Match': '"0-0"' }, {}),
        await asked('POST', accepting, '{'),
        await asked('POST', accepting, { partial: 'x'.repeat(2000) }),
        await asked('POST', { ...accepting, 'Content-Type': 'text/plain' }, {}),
      ]
      expect(refused).toEqual([412, 400, 413, 415])
    }
    for (const state of ['In review', 'Approved', 'Applied']) {
      await move(draft.id, state, state === 'Approved' ? asReviewer : {})
    }
    await rewrite(database.storage, draft.id, flagsWereOff)
    expect(await asked('GET')).toBe(200)
    const once = { 'Idempotency-Key': 'take-it-back' }
    expect([await asked('POST', once, {}), await asked('POST', once, { partial: true })]).toEqual([200, 422])
    const { body: review } = await send('GET', `${ofProject}/${draft.id}/review`)
    await send('DELETE', `${ofProject}/${review.revertedBy}`)
  })

  it('every kind of rejection, as an error and as problem details', async () => {
    const { body: draft } = await send('POST', proposals, enable())
    const path = `${ofProject}/${draft.id}`
    await send('POST', `${path}/comments`, { text: 'New' })
    const change = `${path}/changes/${draft.features[0].changes[0].id}`
    const stale = { 'If-Match': '"0-0"' }
    const writes: [string, string, unknown?][] = [
      ['PUT', `${proposals}/config`, { changeRequestsEnabled: true }],
      ['POST', proposals, enable()],
      ['PUT', change, enable()],
      ['PUT', `${path}/state`, { state: 'Cancelled' }],
      ['PUT', `${path}/scheduling`, { scheduledAt: 'approval' }],
      ['DELETE', `${path}/scheduling`],
      ['PUT', `${path}/title`, { title: 'New' }],
      ['POST', `${path}/comments`, { text: 'New' }],
      ['PUT', `${path}/comments/1`, { text: 'Newer' }],
      ['PUT', `${path}/comments/1/resolution`, { resolved: true }],
      ['DELETE', `${path}/comments/1`],
      ['PUT', `${path}/approvers`, { reviewers: [] }],
      ['POST', `${path}/settlement`],
      ['DELETE', change],
      ['DELETE', path],
    ]
    const reads: [string, string][] = [
      '/events',
      path,
      `${path}/approvers`,
      `${path}/review`,
      `${path}/timeline`,
      `${proposals}/rules`,
      `${proposals}/freezes`,
      `${proposals}/actions`,
      `${inEnvironment}/flags?query=check`,
      `${inEnvironment}/flags/checkout`,
      `${inEnvironment}/segments/4`,
      ofProject,
      `${ofProject}/available-reviewers/production`,
      ...lists.map((one) => `${ofProject}/${one}`),
    ].map((one) => ['GET', one])
    const bad = [
      '/events?project=a&project=b',
      '/events/bad%20name',
      '/search/change-requests?limit=0',
      '/search/events?from=today',
      '/me?project=bad%20name',
      '/reviews?cursor=never',
      '/search/events/activity?from=today',
    ]
    for (const accept of ['application/json', 'application/problem+json']) {
      const accepting = { Accept: accept }
      for (const [method, at, body] of [...reads, ...writes] as [string, string, unknown?][]) {
        const asked = async (headers: Record<string, string>, content = body, place = at) =>
          (await send(method, place, content, { ...accepting, ...headers })).status
        expect([at, await asked({ Authorization: 'no such key here' })]).toEqual([at, 401])
        expect([at, await asked({ Authorization: people.eve.key })]).toEqual([at, 403])
        if (at !== '/events') expect(await asked({}, body, at.replace('shop', 'bad%20name'))).toBe(400)
        if (at !== '/events') expect(await asked({}, body, at.replace('shop', 'nowhere'))).toBe(404)
        if (method !== 'GET') expect([at, await asked(stale)]).toEqual([at, 412])
        if (body === undefined) continue
        expect([at, await asked({}, '{')]).toEqual([at, 400])
        expect([at, await asked({}, { text: 'x'.repeat(2000) })]).toEqual([at, 413])
        expect([at, await asked({ 'Content-Type': 'text/plain' })]).toEqual([at, 415])
      }
      for (const at of bad) {
        expect([at, (await send('GET', at, undefined, accepting)).status]).toEqual([at, 400])
      }
      const unknown = { ...accepting, Authorization: 'no such key here' }
      for (const at of [
        '/search/change-requests',
        '/events/checkout',
        '/search/events',
        '/search/events/activity',
        '/event-creators',
        '/me',
        '/reviews',
      ]) {
        expect([at, (await send('GET', at, undefined, unknown)).status]).toEqual([at, 401])
      }
      const forbidden = { ...accepting, Authorization: people.eve.key }
      for (const at of ['/search/events?project=IS:shop', `${activity}&project=shop`]) {
        expect([at, (await send('GET', at, undefined, forbidden)).status]).toEqual([at, 403])
      }
      for (const [method, at, body] of [...reads.slice(1, 5), ...writes.slice(2)] as [string, string, unknown?][]) {
        const place = at.replace(path, `${ofProject}/999999`)
        expect([place, (await send(method, place, body, accepting)).status]).toEqual([place, 404])
      }
    }
    const playground = `/playground/change-request/${draft.id}`
    const refusals = [
      await send('POST', playground, {}),
      await send('POST', playground, trial, { Authorization: 'no such key here' }),
      await send('POST', playground, trial, { Authorization: people.eve.key }),
      await send('POST', playground, trial),
      await send('POST', playground, { text: 'x'.repeat(2000) }),
      await send('POST', playground, trial, { 'Content-Type': 'text/plain' }),
    ].map(({ status }) => status)
    expect(refusals).toEqual([400, 401, 404, 409, 413, 415])
    await move(draft.id, 'Cancelled')
    for (const [method, at, body] of writes.slice(2).filter(([, at]) => !at.endsWith('comments'))) {
      expect([at, (await send(method, at, body)).status]).toEqual([at, 409])
    }
  })

  it('a stream that cannot continue', async () => {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': '999999' }
    for (const path of ['/events', '/events/checkout', '/search/events']) {
      expect((await send('GET', path, undefined, headers)).status).toBe(409)
    }
  })

  it('consumers of the log', async () => {
    app.router.events.consume({ name: 'audit', handle() {} })
    app.router.start()
    while ((await app.router.health()).consumers.items[0]?.state !== 'running') await new Promise(setImmediate)
    expect((await send('GET', '/consumers')).status).toBe(200)
    expect((await send('POST', '/consumers/audit/retry')).status).toBe(204)
    for (const accept of ['application/json', 'application/problem+json']) {
      const asked = async (method: string, path: string, key: string = people.ann.key) =>
        (await send(method, path, undefined, { Accept: accept, Authorization: key })).status
      expect(await asked('POST', '/consumers/unknown/retry')).toBe(404)
      expect(await asked('POST', '/consumers/a%20b/retry')).toBe(400)
      for (const [key, status] of [
        ['no such key here', 401],
        [people.eve.key, 403],
      ] as const) {
        expect([await asked('GET', '/consumers', key), await asked('POST', '/consumers/audit/retry', key)]).toEqual([
          status,
          status,
        ])
      }
    }
  })
})

describe('the walk', () => {
  it('had the success response of every operation', () => {
    const good = operations.map(({ operationId, responses }) => `${operationId} ${Object.keys(responses)[0]}`)
    expect(good.filter((one) => !seen.has(one))).toEqual([])
  })

  it('had every documented rejection except those of a failing storage, of concurrent calls, and of requireRevision', () => {
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
