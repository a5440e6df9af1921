import type { Reading, Target } from './actions'
import type { Who } from './callers'
import { type Expected, openObjectionOf, openObjections, type Rules } from './rules'

const pending: readonly Target[] = ['Draft', 'In review', 'Approved']
const closed: readonly Target[] = ['Applied', 'Cancelled', 'Rejected']

export interface ExpectedReading {
  readonly path: string
  readonly status?: number
  /** The checked part of the body. */
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of the answers are tested elsewhere.
  readonly pick: (body: any) => unknown
  readonly wanted: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
const ids = (body: any) => body.map((one: { id: number }) => one.id)

/** What a list, a count or a single change request shows to a caller (contract 3.2, 3.4, 3.7, 3.8). */
export function expectReading(rules: Rules, who: Who, what: Reading, about: Expected | undefined): ExpectedReading {
  const seen = rules.requests.filter((one) => rules.visible(who, one) !== undefined).sort(newestFirst)
  const listed = (...path: string[]) => ({ path: `/change-requests/${path.join('/')}`.replace(/\/$/, ''), pick: ids })
  const search = (query: string, fits: (one: Expected) => boolean): ExpectedReading => ({
    path: `search?limit=2&${query}`,
    pick: ({ changeRequests, total }) => ({ ids: ids(changeRequests), total }),
    wanted: { ids: idsOf(seen.filter(fits)).slice(0, 2), total: seen.filter(fits).length },
  })
  switch (what) {
    case 'list':
      return { ...listed(), wanted: idsOf(seen) }
    case 'pending':
    case 'open': {
      const own = seen.filter((one) => one.author === who && pending.includes(one.state))
      return { ...listed(what), wanted: idsOf(own.filter((one) => rules.setting(one.environment).enabled)) }
    }
    case 'pending for checkout': {
      const history = seen.filter((one) => one.changes.some(({ feature }) => feature === 'checkout'))
      return { ...listed('pending', 'checkout'), wanted: idsOf(history.filter((one) => pending.includes(one.state))) }
    }
    case 'count':
      return { path: '/change-requests/count', pick: (body) => body, wanted: counts(seen) }
    case 'actionable':
      return {
        path: '/change-requests/actionable',
        pick: (body) => body.total,
        wanted: seen.filter((one) => isActionable(rules, who, one)).length,
      }
    case 'settings':
      return { path: '/change-requests/config', pick: (body) => body, wanted: settings(rules) }
    case 'search':
      return search('', () => true)
    case 'search open by ann':
      return search('createdBy=IS:1&state=IS:open', (one) => one.author === 'ann' && !closed.includes(one.state))
    case 'search closed':
      return search('state=IS:closed', (one) => closed.includes(one.state))
    case 'reviewers':
      return {
        path: '/change-requests/available-reviewers/development',
        pick: ({ reviewers }) => ids(reviewers),
        wanted: [1, 2, 4],
      }
    default:
      return one(rules.visible(who, about), about?.id ?? 999_999, what)
  }
}

function one(visible: Expected | undefined, id: number, what: 'one' | 'approvers'): ExpectedReading {
  const path = `/change-requests/${id}${what === 'one' ? '' : '/approvers'}`
  if (visible === undefined) return { path, status: 404, pick: ({ name }) => name, wanted: 'NotFoundError' }
  if (what === 'approvers') return { path, pick: ({ reviewers }) => ids(reviewers), wanted: visible.approvers }
  return {
    path,
    pick: ({ state, title, approvals, comments }) => [state, title, approvals.length, comments.length],
    wanted: [visible.state, visible.title ?? `Change request #${id}`, visible.approvals.length, visible.comments],
  }
}

function newestFirst(one: Expected, other: Expected): number {
  return other.createdAt - one.createdAt || other.id - one.id
}

function idsOf(requests: readonly Expected[]): number[] {
  return requests.map(({ id }) => id)
}

function counts(seen: readonly Expected[]) {
  const of = (state: Target) => seen.filter((one) => one.state === state).length
  return {
    total: seen.length,
    applied: of('Applied'),
    rejected: of('Rejected'),
    reviewRequired: of('In review'),
    approved: of('Approved'),
    scheduled: 0,
  }
}

function isActionable(rules: Rules, who: Who, about: Expected): boolean {
  const { state, environment, author, approvals } = about
  if (state === 'Approved') return rules.may(who, 'APPLY', environment) && openObjections(about).length === 0
  const hasReviewed = approvals.includes(who) || openObjectionOf(about, who)?.outdated === false
  if (state !== 'In review' || who === 'bot' || hasReviewed) return false
  return rules.may(who, 'APPROVE', environment) && (author !== who || who === 'dora')
}

function settings(rules: Rules) {
  const used = new Set(rules.requests.filter((one) => !one.isRemoved).map(({ environment }) => environment))
  return (['development', 'production'] as const)
    .filter((environment) => used.has(environment) || rules.settings.has(environment))
    .map((environment) => {
      const { enabled, approvals } = rules.setting(environment)
      return {
        environment,
        type: 'production',
        changeRequestEnabled: enabled,
        requiredApprovals: enabled ? approvals : null,
      }
    })
}
