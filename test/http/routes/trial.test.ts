import { type ApprovalRule, apiKeys, type Check, type Freeze, memoryStorage } from '../../../src'
import type { RequirementView } from '../../../src/generated'
import { HostFlags } from '../../kernel/support/flags'
import { noon, startApp, type TestApp } from '../../support/app'

const grants = (...permissions: string[]) => permissions.map((permission) => ({ permission }))
const reviewing = grants(
  'CREATE_CHANGE_REQUEST',
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
)
const callers = {
  ann: { key: 'key-of-ann-0123456789', user: { id: 1, username: 'ann' }, grants: reviewing },
  ben: { key: 'key-of-ben-0123456789', user: { id: 2, username: 'ben' }, grants: reviewing },
  dora: { key: 'key-of-dora-0123456789', user: { id: 4, username: 'dora' }, grants: grants('ADMIN') },
}

const onTrial = {
  approvalRules: [
    { name: 'every change', mode: 'trial', approvals: 9 },
    {
      name: 'big steps',
      mode: 'trial',
      when: { fields: [{ path: '/parameters/rollout', by: 25 }] },
      approvals: { aboveMinimum: 1 },
    },
    {
      name: 'switches',
      mode: 'trial',
      when: { fields: [{ path: '/enabled' }] },
      approvals: 1,
      from: { groups: ['on-call'] },
    },
    { name: 'tagged', mode: 'trial', when: { tags: [{ type: 'team', value: 'core' }] }, approvals: 1 },
  ] satisfies ApprovalRule[],
  freezes: [
    { name: 'Sale', mode: 'trial', reason: 'Sales', from: '2026-03-01T00:00:00Z' },
    { name: 'Night', mode: 'trial', reason: 'Nobody is there', from: '2026-03-01T00:00:00Z', scheduled: 'suspend' },
  ] satisfies Freeze[],
  checks: [{ name: 'ci', mode: 'trial', description: 'Smoke tests' }] satisfies Check[],
}

const project = '/api/admin/projects/shop'
const place = `${project}/environments/production/change-requests`
const one = (id: number) => `${project}/change-requests/${id}`
const rollout = (to: string) => ({
  action: 'updateStrategy',
  feature: 'checkout',
  payload: { id: 's1', parameters: { rollout: to } },
})
const off = (feature: string) => ({ action: 'updateEnabled', feature, payload: { enabled: false } })

/** Everything that a change request can go through, and every view of it on the way. `run` applies what is due. */
const recorded: readonly (readonly [who: keyof typeof callers, request: string, body?: object] | 'run')[] = [
  ['ann', `GET ${place}/rules`],
  ['ann', `GET ${place}/freezes`],
  ['ann', `POST ${place}/preview`, { changes: [rollout('60'), off('search')] }],
  ['ann', `POST ${place}`, [rollout('60'), off('search')]],
  ['ann', `GET ${one(1)}/review`],
  ['ann', `PUT ${one(1)}/state`, { state: 'In review' }],
  ['ben', 'GET /api/admin/reviews?needs=me'],
  ['ben', `PUT ${one(1)}/state`, { state: 'Applied' }],
  ['ben', `PUT ${one(1)}/state`, { state: 'Approved' }],
  ['ben', `GET ${one(1)}/review`],
  ['ben', 'GET /api/admin/reviews'],
  ['ben', `PUT ${one(1)}/state`, { state: 'Scheduled', scheduledAt: '2026-03-04T12:30:00.000Z' }],
  ['ben', `GET ${one(1)}/review`],
  'run',
  ['ben', `GET ${one(1)}/review`],
  ['ann', `POST ${place}`, [rollout('90')]],
  ['ann', `PUT ${one(2)}/state`, { state: 'In review' }],
  ['ben', `PUT ${one(2)}/state`, { state: 'Applied', emergency: { reason: 'Payments fail.' } }],
  ['dora', `GET ${one(2)}/review`],
  ['dora', `POST ${one(2)}/acknowledgement`],
  ['ann', `POST ${place}`, [rollout('10')]],
  ['ann', `PUT ${one(3)}/scheduling`, { scheduledAt: 'approval' }],
  ['ann', `PUT ${one(3)}/state`, { state: 'In review' }],
  ['ann', `PUT ${one(3)}/scheduling`, { scheduledAt: 'approval' }],
  ['ben', `PUT ${one(3)}/state`, { state: 'Approved' }],
  ['ann', `GET ${one(3)}/review`],
  'run',
  ['ann', `POST ${one(1)}/copy`],
  ['ann', `PUT ${one(4)}/state`, { state: 'In review' }],
  ['ben', `PUT ${one(4)}/state`, { state: 'Rejected' }],
  ['ann', `GET ${one(4)}/review`],
  ['ann', `POST ${one(2)}/revert`],
  ['ann', `GET ${one(1)}/timeline`],
  ['dora', 'GET /api/admin/events'],
  ['dora', 'GET /api/admin/search/change-requests'],
]

interface Answer {
  readonly status: number
  readonly tag: string | null
  // biome-ignore lint/suspicious/noExplicitAny: what a body holds is asserted by the tests.
  readonly body: any
}

async function record(options: Partial<typeof onTrial>): Promise<Answer[]> {
  const flags = new HostFlags()
  flags.enabled = true
  flags.tags = [{ type: 'team', value: 'core' }]
  flags.strategies = [
    { id: 's1', name: 'flexibleRollout', disabled: false, constraints: [], parameters: { rollout: '20' } },
  ]
  let now = noon
  const app: TestApp = await startApp({
    ...{ storage: memoryStorage(), flags, schedule: 'elsewhere', emergency: true, ...options },
    ...{ authenticate: apiKeys(Object.values(callers)), clock: () => new Date(now) },
  })
  const answers: Answer[] = []
  for (const step of recorded) {
    if (step === 'run') {
      now = '2026-03-04T13:00:00.000Z'
      answers.push({ status: 0, tag: null, body: await app.router.runDue() })
      continue
    }
    const [who, request, body] = step
    const [method = '', path = ''] = request.split(' ')
    const response = await fetch(`http://127.0.0.1:${app.port}${path}`, {
      method,
      headers: { Authorization: callers[who].key, 'Content-Type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    })
    const text = await response.text()
    answers.push({ status: response.status, tag: response.headers.get('etag'), body: text && JSON.parse(text) })
  }
  await app.close()
  return answers
}

const isOnTrial = (item: unknown) => (item as { mode?: string } | null)?.mode === 'trial'

/** What the extension documents: entries on trial in lists, `checks`, which need the option, and `data.trial` of events. */
function withoutTrial(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isOnTrial(item)).map(withoutTrial)
  if (typeof value !== 'object' || value === null) return value
  const left = Object.entries(value).filter(([name, inner]) => !isDocumented(name, inner, value))
  return Object.fromEntries(left.map(([name, inner]) => [name, withoutTrial(inner)]))
}

function isDocumented(name: string, inner: unknown, around: object): boolean {
  // The policy of an apply is a digest of all rules.
  if ('policy' in around) return ['trial', 'policy', 'checks'].includes(name)
  return name === 'checks' && Array.isArray(inner) && inner.every(isOnTrial)
}

/** An id of an apply attempt is random. */
const comparable = (answers: readonly Answer[]) =>
  JSON.parse(JSON.stringify(answers).replaceAll(/[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'))

describe('rules, freezes and checks that are all on trial', () => {
  it('change nothing but the documented fields of all answers and events', async () => {
    const [without, withTrial] = [await record({}), await record(onTrial)]
    for (const [index, answer] of withTrial.entries()) {
      const { tag, body, status } = without[index] as Answer
      // The tag of the event list is a digest of its content.
      const isList = typeof body === 'object' && 'totalEvents' in body
      const step = recorded[index]
      expect([step, comparable([{ status, tag: isList ? null : tag, body: withoutTrial(body) }])]).toEqual([
        step,
        comparable([{ status: answer.status, tag: isList ? null : answer.tag, body: withoutTrial(answer.body) }]),
      ])
    }
    expect(without.filter(({ status }) => status >= 400)).toHaveLength(2)
  })

  it('are shown with their mode, and recorded with each apply', async () => {
    const answers = await record(onTrial)
    const at = (request: string) => answers[recorded.findIndex((step) => step[1] === request)]?.body
    expect(at(`GET ${place}/rules`).rules[1]).toEqual({
      name: 'big steps',
      mode: 'trial',
      when: { fields: [{ path: '/parameters/rollout', by: 25 }] },
      approvals: { aboveMinimum: 1 },
      from: null,
    })
    expect(at(`GET ${place}/rules`).checks).toEqual([
      { ...{ name: 'ci', description: 'Smoke tests', required: true, mode: 'trial' }, when: null, from: null },
    ])
    expect(at(`GET ${place}/freezes`).freezes.map(({ mode }: { mode: string }) => mode)).toEqual(['trial', 'trial'])
    const preview = at(`POST ${place}/preview`)
    const shown = (list: RequirementView[]) => list.map(({ name, mode, because }) => [name, mode, because])
    expect(shown(preview.requirements.slice(1))).toEqual([
      ['every change', 'trial', []],
      ['big steps', 'trial', [{ change: 0, feature: 'checkout', path: '/parameters/rollout' }]],
      ['switches', 'trial', [{ change: 1, feature: 'search', path: '/enabled' }]],
      ['tagged', 'trial', ['checkout', 'search'].map((feature, change) => ({ change, feature, path: null }))],
    ])
    expect(preview.checks).toMatchObject([{ name: 'ci', mode: 'trial', status: null }])
    expect(preview.freezes).toMatchObject([{ mode: 'trial' }, { mode: 'trial' }])
    const { events } = at('GET /api/admin/events')
    const applied = events.filter(({ type }: { type: string }) => type === 'change-request-applied').reverse()
    const matched = [
      ...['every change', 'big steps', 'switches', 'tagged'].map((name) => ({
        kind: 'rule',
        name,
        met: name === 'tagged',
      })),
      ...['Sale', 'Night'].map((name) => ({ kind: 'freeze', name, met: false })),
      { kind: 'check', name: 'ci', met: false },
    ]
    const without = (...names: string[]) => matched.filter(({ name }) => !names.includes(name))
    expect(applied.map(({ data }: { data: { trial: object[] } }) => data.trial)).toEqual([
      matched,
      without('switches').map((one) => ({ ...one, met: false })),
      without('switches', 'big steps'),
    ])
    expect(applied[1].data.emergency.missing).toEqual([
      { code: 'missing-approvals', name: 'minimum', approvals: 1, given: 0 },
    ])
  })
})
