import { memoryStorage } from '../../../src'
import { enable, people, startApp, type TestApp, ticketField } from '../../support/app'
import { checkedFetch, openapi } from '../../support/openapi-answers'
import { recordedFlags } from './flags'

const rita = {
  key: 'key-of-rita-0123456789',
  user: { id: 9, username: 'rita', email: 'rita@example.com' },
  grants: [{ permission: 'ADMIN' }],
}

type Headers = Readonly<Record<string, string>>

const project = '/projects/shop'
const proposals = `${project}/environments/production/change-requests`
const all = `${project}/change-requests`
const asRita = { Authorization: rita.key }
const asEve = { Authorization: people.eve.key }
const asRobot = { Authorization: people.robot.key }
const asStranger = { Authorization: 'no such key here' }
const problem = { Accept: 'application/problem+json' }
const json = { 'Content-Type': 'application/json' }
const trial = { context: { appName: 'web' } }
const segment = { action: 'updateSegment', payload: { id: 3, name: 'beta', constraints: [] } }
const strategy = {
  action: 'addStrategy',
  feature: 'checkout',
  payload: { name: 'flexibleRollout', constraints: [], parameters: { rollout: '20' } },
}

/** What differs from run to run: ids of errors, groups of events, and the port. */
function fixed(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/\b0[0-9A-HJKMNP-TV-Z]{25}\b/g, '<ulid>')
}

/**
 * One request per operation and per error of the contract, with their recorded responses, which match openapi.json. `npx jest -u` records
 * them again: for a change of the wire, and for nothing else.
 */
describe('the recorded answers', () => {
  const storage = memoryStorage()
  let app: TestApp
  /** As `operationId status`. */
  const seen = new Set<string>()
  const checked = checkedFetch(seen)

  beforeAll(async () => {
    app = await startApp({
      storage,
      authenticate: (req) => {
        const caller = [...Object.values(people), rita].find(({ key }) => key === req.headers.authorization)
        return caller === undefined ? null : { ...caller.user, grants: caller.grants }
      },
      users: {
        find: (ids) => [rita.user, people.ann.user].filter(({ id }) => ids.includes(id)),
        reviewers: () => [rita.user],
      },
      directory: {
        hasProject: (name) => name === 'shop',
        knownFeatures: (_, names) => names.filter((name) => name !== 'gone'),
        searchSegments: () => [{ id: 3, name: 'beta' }],
        contextFields: () => [{ name: 'country', legalValues: ['de'] }],
        projects: () => ['shop'],
      },
      limits: { bodyBytes: 2000, changesPerChangeRequest: 5, countedEvents: 1000, searchedEvents: 1000 },
      playground: () => ({ input: {}, features: [] }),
      flags: recordedFlags(),
      emergency: true,
      schedule: 'elsewhere',
      validate: (changes) =>
        changes.some(({ feature }) => feature === 'odd') ? [{ message: 'No odd flags.', path: '/body/0/feature' }] : [],
      freezes: [
        { name: 'Sale', reason: 'Sales', from: '2999-11-27T00:00:00+01:00', when: { environments: ['production'] } },
      ],
      approvalRules: [{ name: 'segment owners', when: { segments: true }, approvals: 1, from: { users: [9] } }],
    })
  })

  afterAll(() => app.close())

  async function send(method: string, path: string, body?: unknown, headers: Headers = {}, to = app) {
    const response = await checked(`http://127.0.0.1:${to.port}/api/admin${path}`, {
      method,
      headers: { Authorization: people.ann.key, ...(body === undefined ? {} : json), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const kept = [
      'cache-control',
      'content-type',
      'etag',
      'idempotency-replayed',
      'link',
      'retry-after',
      'total-count',
      'vary',
      'www-authenticate',
    ]
    const recorded = {
      request: `${method} ${path}`,
      status: response.status,
      headers: Object.fromEntries(
        kept.flatMap((name) => (response.headers.has(name) ? [[name, fixed(response.headers.get(name) ?? '')]] : [])),
      ),
      body: fixed(text),
    }
    expect(recorded).toMatchSnapshot()
    return {
      status: response.status,
      etag: response.headers.get('etag') ?? '',
      body:
        /^application\/json/.test(response.headers.get('content-type') ?? '') && text.startsWith('{')
          ? JSON.parse(text)
          : undefined,
    }
  }
  const move = (id: number, state: string, headers: Headers = {}, more: object = {}) =>
    send('PUT', `${all}/${id}/state`, { state, ...more }, headers)

  it('of a change request from its proposal to Applied, and of its revert', async () => {
    const { body: draft } = await send('POST', proposals, [enable(), strategy, segment])
    const path = `${all}/${draft.id}`
    const [first, second] = draft.features[0].changes
    await send('GET', path)
    await send('PUT', `${path}/changes/${first.id}`, enable('search'))
    await send('DELETE', `${path}/changes/${second.id}`)
    await send('PUT', `${path}/title`, { title: 'All of it' })
    await send('POST', `${path}/comments`, { text: 'Look' })
    await send('PUT', `${path}/approvers`, { reviewers: [9] })
    await send('GET', `${path}/approvers`)
    await send('GET', `${all}/available-reviewers/production`)
    await move(draft.id, 'In review')
    await send('GET', `${path}/review`)
    await send('GET', `${path}/review`, undefined, asRita)
    await send('GET', '/reviews')
    await send('GET', '/reviews?needs=me', undefined, asRita)
    await send('GET', `${all}/actionable`, undefined, asRita)
    await send('POST', `/playground/change-request/${draft.id}`, trial)
    await move(draft.id, 'Approved', {}, { comment: 'My own' })
    await move(draft.id, 'Approved', asRobot)
    await move(draft.id, 'Approved', asRita, { comment: 'Good' })
    await move(draft.id, 'Approved', asRita)
    await send('POST', `${path}/rebase`, {})
    await move(draft.id, 'Approved', asRita)
    await move(draft.id, 'Scheduled', {}, { scheduledAt: '2026-03-05T09:00:00Z' })
    await send('GET', `${all}/scheduled?feature=search`)
    await send('GET', path)
    await send('POST', `${path}/settlement`)
    await move(draft.id, 'Applied')
    await move(draft.id, 'Applied')
    await send('GET', `${path}/revert`)
    await send('POST', `${path}/revert`, {})
    await send('POST', `${path}/revert`, { partial: true })
    await send('GET', `${path}/review`)
    await send('GET', `${path}/timeline`)
    await send('GET', '/export/change-requests?project=shop')
  })

  it('of rejecting, cancelling, discarding and of an emergency', async () => {
    for (const [state, caller] of [
      ['Rejected', asRita],
      ['Cancelled', {}],
    ] as const) {
      const { body } = await send('POST', proposals, enable('basket'))
      await move(body.id, 'In review')
      await move(body.id, state, caller, { comment: 'Not now' })
    }
    const { body: discarded } = await send('POST', proposals, enable('basket'))
    await send('DELETE', `${all}/${discarded.id}`)
    await send('GET', `${all}/${discarded.id}`)
    const { body: urgent } = await send('POST', proposals, enable('basket'))
    await move(urgent.id, 'Applied', {}, { emergency: { reason: 'It cannot wait.' } })
    const path = `${all}/${urgent.id}/acknowledgement`
    await send('POST', path, {})
    await send('POST', path, { comment: 'Seen' }, asRita)
    await send('POST', path, {}, asRita)
    await send('GET', '/search/change-requests?afterReview=IS:open')
  })

  it('of lists, counts, settings and the log', async () => {
    await send('POST', proposals, enable('basket'))
    for (const below of ['config', 'count', 'open', 'pending', 'pending/checkout', 'actionable', 'scheduled']) {
      await send('GET', `${all}/${below}`)
    }
    await send('GET', all)
    await send('GET', '/search/change-requests?limit=2&state=IS:closed')
    await send('GET', `${proposals}/rules`)
    await send('GET', `${proposals}/freezes`)
    await send('GET', `${proposals}/actions`)
    await send('GET', `${proposals.replace('/change-requests', '/flags')}?query=check`)
    await send('GET', `${proposals.replace('/change-requests', '/flags')}/checkout`)
    await send('GET', `${proposals.replace('/change-requests', '/segments')}/3`)
    await send('GET', `${proposals.replace('/change-requests', '/segments')}?query=beta`)
    await send('GET', '/projects/shop/context-fields')
    await send('GET', '/places')
    await send('POST', `${proposals}/preview`, { changes: [enable('search')] })
    await send('POST', `${proposals}/preview`, { changes: [enable('odd')] })
    await send('GET', '/me?project=shop&environment=production')
    await send('PUT', `${proposals}/config`, { changeRequestsEnabled: false, requiredApprovals: 30 })
    await send('POST', proposals, enable('basket'))
    await send('PUT', `${proposals}/config`, { changeRequestsEnabled: true, requiredApprovals: null })
    await send('GET', `${all}/config`)
    const { etag } = await send('GET', '/events')
    await send('GET', '/events', undefined, { 'If-None-Match': etag })
    await send('GET', '/events?project=shop')
    await send('GET', '/events?project=nowhere')
    await send('GET', '/events/checkout')
    await send('GET', '/events?project=shop', undefined, { Accept: 'application/x-ndjson' })
    await send('GET', '/events?project=shop', undefined, { Accept: 'text/csv' })
    await send('GET', '/search/events?feature=IS:checkout&limit=2')
    await send('GET', '/search/events?query=beta&type=IS_ANY_OF:change-added,change-request-created&offset=1')
    await send('GET', '/search/events/activity?from=2026-03-01&to=2026-03-31')
    await send('GET', '/event-creators')
  })

  it('of every kind of refusal', async () => {
    const { body: draft } = await send('POST', proposals, enable('basket'))
    const path = `${all}/${draft.id}`
    const key = { 'Idempotency-Key': 'recorded' }
    for (const headers of [{}, problem]) {
      await send('GET', path, undefined, { ...headers, Authorization: '' })
      await send('GET', path, undefined, { ...headers, ...asStranger })
      await send('GET', path, undefined, { ...headers, ...asEve })
      await send('GET', path, undefined, { ...headers, ...asRita })
      await send('GET', `${all}/999999`, undefined, headers)
      await send('GET', path.replace('shop', 'nowhere'), undefined, headers)
      await send('GET', path.replace('shop', 'bad%20name'), undefined, headers)
      await send('POST', proposals, enable(), { ...headers, 'Content-Type': 'text/plain' })
      await send('POST', proposals, '{', headers)
      await send('POST', proposals, '{"text":"\\u0000"}', headers)
      await send('POST', proposals, { text: 'x'.repeat(2000) }, headers)
      await send('POST', proposals, [], headers)
      await send('POST', proposals, { action: 'updateEnabled', feature: 'a', payload: {} }, headers)
      await send('POST', proposals, [enable(), { action: 'nothing' }], headers)
      await send('POST', proposals, enable('gone'), headers)
      await send('POST', proposals, enable('odd'), headers)
      await send('POST', proposals, Array(6).fill(enable('basket')), headers)
      await send('POST', proposals, enable('basket'), { ...headers, ...asRobot })
      await send('POST', proposals, enable('basket'), { ...headers, 'If-Match': '"0-0"' })
      await send('POST', proposals, enable('basket'), { ...headers, 'Idempotency-Key': 'with a blank' })
      await send('PUT', `${path}/state`, { state: 'Open' }, headers)
      await send('PUT', `${path}/state`, { state: 'Scheduled', scheduledAt: '2026-03-04T11:00:00Z' }, headers)
      await send('PUT', `${path}/state`, { state: 'Applied' }, headers)
      await send('PUT', `${path}/state`, { state: 'Draft' }, headers)
      await send('PUT', `${path}/state`, { state: 'In review', digest: 'x' }, headers)
      await send('PUT', `${path}/title`, { title: ' ' }, headers)
      await send('PUT', `${path}/title`, {}, headers)
      await send('PUT', `${path}/approvers`, { reviewers: [77] }, headers)
      await send('DELETE', `${path}/changes/999999`, undefined, headers)
      await send('GET', '/search/change-requests?limit=0', undefined, headers)
      await send('GET', '/search/events?from=today', undefined, headers)
      await send('GET', '/reviews?cursor=never', undefined, headers)
      await send('GET', '/events?project=a&project=b', undefined, headers)
    }
    await send('POST', `${path}/comments`, { text: 'once' }, key)
    await send('POST', `${path}/comments`, { text: 'once' }, key)
    await send('POST', `${path}/comments`, { text: 'twice' }, key)
    await move(draft.id, 'Cancelled')
    await send('PUT', `${path}/title`, { title: 'Too late' })
    await send('DELETE', path)
    await send('POST', `${path}/copy`)
  })

  it('of the consumers of the log', async () => {
    await send('GET', '/consumers')
    await send('GET', '/consumers', undefined, { Authorization: people.eve.key })
    await send('POST', '/consumers/audit/retry')
    await send('POST', '/consumers/a%20b/retry')
  })

  it('of a schedule before the last approval', async () => {
    const { body: draft } = await send('POST', proposals, enable('search'))
    const path = `${all}/${draft.id}`
    await send('PUT', `${path}/scheduling`, { scheduledAt: 'approval' })
    await move(draft.id, 'In review')
    await send('PUT', `${path}/scheduling`, { scheduledAt: 'tomorrow' })
    await send('PUT', `${path}/scheduling`, { scheduledAt: '2999-12-01T06:00:00Z' })
    await send('PUT', `${path}/scheduling`, { scheduledAt: 'approval' })
    await send('DELETE', `${path}/scheduling`)
    await send('GET', `${path}/review`)
  })

  it('of comments that are resolved, edited and deleted', async () => {
    const { body: draft } = await send('POST', proposals, enable('basket'))
    const path = `${all}/${draft.id}`
    for (const text of ['Why?', 'Look']) await send('POST', `${path}/comments`, { text })
    await send('PUT', `${path}/comments/1/resolution`, { resolved: true })
    await send('PUT', `${path}/comments/1`, { text: 'Why not?' })
    await send('PUT', `${path}/comments/2`, { text: 'Look here' })
    await send('GET', `${path}/review`)
    await send('DELETE', `${path}/comments/2`)
    await send('GET', `${path}/review`)
    await send('DELETE', path)
  })

  it('of custom fields', async () => {
    const { body: draft } = await send('POST', proposals, enable('basket'))
    const path = `${all}/${draft.id}/custom-fields`
    await send('PUT', path, { ticket: 'ABC-1' })
    const asking = await startApp({ storage, customFields: ticketField })
    await send('PUT', path, { ticket: 'ABC-1' }, {}, asking)
    await send('PUT', path, { ticket: 'none', risk: 'high' }, {}, asking)
    await send('PUT', path, { ticket: 'ABC-1' }, asEve, asking)
    await asking.close()
    await send('DELETE', `${all}/${draft.id}`)
  })

  it('of the success of every operation, except where that needs a consumer, a gateway that died or an option', () => {
    const successes = Object.values(openapi.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId, responses }) => `${operationId} ${Object.keys(responses)[0]}`),
    )
    expect(successes.filter((one) => !seen.has(one)).sort()).toEqual([
      ...[
        'dismissObjection 204',
        'liftObjection 204',
        'objectToChangeRequest 204',
        'reportCheck 200',
        'retryConsumer 204',
        'settleApply 200',
      ],
      'takeBackApproval 204',
    ])
  })
})
