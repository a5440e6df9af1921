import type { ApprovalRule, Check, CustomFields, Freeze } from '../../../src'
import type { ReviewView } from '../../../src/generated'
import type { ChangeOfTest } from '../../examples/support/flag-host'
import { type PageHost, startHost } from './host'

export const enable = (feature: string, enabled = true): ChangeOfTest => ({
  action: 'updateEnabled',
  feature,
  payload: { enabled },
})

export const roll = (feature: string, id: string, rollout: string): ChangeOfTest => ({
  action: 'updateStrategy',
  feature,
  payload: { id, parameters: { rollout, stickiness: 'default', groupId: 'demo' } },
})

const customFields: CustomFields = {
  schema: {
    type: 'object',
    properties: {
      ticket: {
        type: 'string',
        title: 'Ticket',
        maxLength: 20,
        pattern: '^[A-Z]+-[0-9]+$',
        description: 'Such as SHOP-481',
      },
      risk: { type: 'string', title: 'Risk', maxLength: 10, enum: ['low', 'high'] },
      dashboard: { type: 'string', title: 'Dashboard', maxLength: 200, format: 'uri' },
      tested: { type: 'boolean', title: 'Tested on staging' },
    },
    additionalProperties: false,
  },
  searchable: 'ticket',
}
const fields = { ticket: 'SHOP-481', risk: 'low', dashboard: 'https://dashboards.example/cards', tested: true }

const when = { features: ['refunds'] }
const checks: readonly Check[] = [
  { name: 'ci', description: 'Smoke tests on staging', when },
  { name: 'error-budget', when },
  { name: 'screenshots', required: false, when },
  { name: 'cost', mode: 'trial', when },
]
const approvalRules: readonly ApprovalRule[] = [
  {
    name: 'one more for many users',
    mode: 'trial',
    when: { ...when, fields: [{ path: '/enabled' }] },
    approvals: { aboveMinimum: 1 },
  },
]

const freezes: readonly Freeze[] = [
  {
    name: 'Sale',
    reason: 'Sales in all shops',
    mode: 'trial',
    when: { features: ['pay*'] },
    from: '2026-11-01T00:00:00Z',
  },
]

/** Ids of change requests, one for each state of a screen. */
export interface Showcase {
  readonly host: PageHost
  readonly review: number
  readonly overwrite: number
  readonly conflict: number
  readonly scheduled: number
  readonly suspended: number
  readonly approved: number
  readonly applied: number
  readonly emergency: number
  readonly rejected: number
  readonly objected: number
  readonly checked: number
  readonly draft: number
}

/** A host with change requests in all states and with all problems. */
export async function startShowcase(): Promise<Showcase> {
  const host = await startHost({ objections: true, customFields, checks, approvalRules, freezes })
  const { propose, inReview, approved, setState, comment } = host
  const tomorrow = { scheduledAt: new Date(Date.now() + 24 * 3_600_000).toISOString() }
  const schedule = async (id: number) => {
    await setState('ben', id, 'Scheduled', tomorrow)
    return id
  }
  const reject = async (id: number) => {
    await setState('ben', id, 'Rejected', { comment: 'Not on a Friday.' })
    return id
  }
  const apply = async (id: number) => {
    await setState('ben', id, 'Applied')
    return id
  }
  const rejected = await reject(await inReview(enable('dark-mode'), 'Dark for all'))
  const overwrite = await inReview(roll('checkout', 'checkout-half', '30'), 'Fewer see the new checkout', 'fay')
  const conflict = await inReview(roll('new-search', 'new-search-few', '50'), 'Half of all searches', 'gus')
  const suspended = await schedule(await approved(roll('dark-mode', 'dark-mode-off', '40'), 'Dark for some', 'hal'))
  await host.changeFlags(
    roll('checkout', 'checkout-half', '60'),
    { action: 'deleteStrategy', feature: 'new-search', payload: { id: 'new-search-few' } },
    roll('dark-mode', 'dark-mode-off', '70'),
  )
  const emergency = await host.propose(enable('new-search', false), 'Search is down', 'cara')
  await setState('cara', emergency, 'Applied', { emergency: { reason: 'Nobody finds anything since 10:40.' } })
  const applied = await apply(await approved(roll('checkout', 'checkout-half', '65'), 'A little more checkout'))
  const review = await inReview([enable('pay-by-card'), roll('pay-by-card', 'pay-by-card-few', '75')], 'Cards for many')
  await host.call('ann', 'PUT', `/projects/default/change-requests/${review}/custom-fields`, fields)
  await setState('ben', review, 'Approved', { comment: 'Fine with me.' })
  await comment('ann', review, 'Support knows of it.')
  const objected = await approved(enable('new-search'), 'The search again', 'noa')
  await host.object('cara', objected, 'Not before noon.')
  await host.call('cara', 'DELETE', `/projects/default/change-requests/${objected}/objection`)
  await host.object('dan', objected, 'The load test of the search still fails at 200 requests per second.')
  await host.addFlags(['refunds'])
  const checked = await inReview(enable('refunds'), 'Refunds without a call', 'lea')
  const path = `/projects/default/change-requests/${checked}`
  const { digest } = await host.call<ReviewView>('cara', 'GET', `${path}/review`)
  const report = (name: string, status: string, summary: string) =>
    host.call('cara', 'PUT', `${path}/checks/${name}`, {
      status,
      digest,
      summary,
      url: `https://ci.example/${name}/81`,
    })
  await report('ci', 'failed', '2 of 212 tests failed: the refund of a split payment, and its receipt.')
  await report('error-budget', 'passed', '83 % of the budget of this month is left.')
  await report('cost', 'pending', 'About 40 minutes.')
  return {
    host,
    checked,
    rejected,
    objected,
    overwrite,
    conflict,
    suspended,
    emergency,
    applied,
    review,
    approved: await approved(enable('checkout'), 'The new checkout', 'ida'),
    scheduled: await schedule(await approved(roll('dark-mode', 'dark-mode-off', '10'), 'A tenth in the dark', 'jon')),
    draft: await propose(enable('dark-mode'), 'Dark, later', 'kim'),
  }
}
