import { type ApprovalExpiry, expiredUpTo } from '../../domain/approval/expiry'
import {
  involvedSubject,
  notApplicableSince,
  notApprovedSince,
  objected,
  objectedSubject,
  otherAuthorSubject,
  reviewedSince,
  stoppedSubject,
} from '../../domain/content/grouping'
import { isClosed, type State } from '../../domain/lifecycle'
import type { Permission } from '../../ports/access'
import type { ChangeRequestGroup, GroupKey, ReviewCase } from '../../ports/storage/change-requests'

/** Cases of an inbox, with their number where the groups have it. */
interface CountedCase extends ReviewCase {
  /** Exact; absent if only the storage can count it. */
  readonly count?: number
}

export interface InboxCases {
  readonly me: readonly CountedCase[]
  readonly mine: readonly CountedCase[]
  readonly all: readonly CountedCase[]
}

type Group = ChangeRequestGroup

/**
 * The parts of the inbox of a user: by stored facts, what needs the user (contract 12, needs=me), what the user is an author of, and
 * everything.
 *
 * @param groups those that the user can read
 * @param userId null without a user id: then nothing needs the caller, and they created nothing
 */
export async function inboxCases(
  groups: readonly Group[],
  userId: number | null,
  may: (permission: Permission, group: GroupKey) => Promise<boolean>,
  expiry: ApprovalExpiry | undefined,
): Promise<InboxCases> {
  const drafts = groups.filter(({ state }) => state === 'Draft')
  const others = groups.filter(({ state }) => state !== 'Draft')
  if (userId === null) return { me: [], mine: [], all: [caseOf(others, {})] }
  // A group of the user's own drafts also has drafts of others, which only their authors may see.
  const all = [caseOf(others, {}), ...(drafts.length === 0 ? [] : [caseOf(drafts, { by: userId })])]
  const allowed = async (permission: Permission, state: State) => {
    const there = groups.filter((group) => group.state === state)
    const answers = await Promise.all(there.map((group) => may(permission, group)))
    return there.filter((_, index) => answers[index])
  }
  const [toReview, toApply, toAcknowledge] = await Promise.all([
    allowed('APPROVE_CHANGE_REQUEST', 'In review'),
    allowed('APPLY_CHANGE_REQUEST', 'Approved'),
    allowed('APPROVE_CHANGE_REQUEST', 'Applied'),
  ])
  const scheduled = groups.filter(({ state }) => state === 'Scheduled')
  const stoppable = others.filter(({ state }) => !isClosed({ state }))
  return {
    me: [
      ...(expiry === undefined
        ? [
            caseOf(
              toReview,
              { notBy: userId, withoutSubject: reviewedSince(userId, null) },
              ({ own, reviewed }) => !own && !reviewed,
            ),
            { groups: keysOf(toApply), withoutSubject: objected },
          ]
        : unexpiredCases(userId, expiredUpTo(expiry), {
            toReview,
            toApply,
            toReviewAgain: await allowed('APPROVE_CHANGE_REQUEST', 'Approved'),
          })),
      { groups: keysOf(scheduled), subject: stoppedSubject(userId) },
      { groups: keysOf(stoppable), subject: objectedSubject(userId) },
      { groups: keysOf(toAcknowledge), afterReview: true, withoutSubject: involvedSubject(userId) },
    ],
    mine: [
      caseOf(groups, { by: userId }, ({ own }) => own),
      { groups: keysOf(others), subject: otherAuthorSubject(userId) },
    ],
    all,
  }
}

/**
 * What the user can approve or apply if approvals expire. The groups do not know which have expired, so the storage counts.
 *
 * @param upTo approvals that were given at this time or earlier have expired
 * @param own whether the user created what is to be approved
 */
export function unexpiredCases(
  userId: number,
  upTo: string,
  groups: { readonly [part in 'toReview' | 'toReviewAgain' | 'toApply']: readonly GroupKey[] },
  own = false,
): ReviewCase[] {
  const toReview = { ...(own ? { by: userId } : { notBy: userId }), withoutSubject: reviewedSince(userId, upTo) }
  const lapsed = notApprovedSince(upTo)
  return [
    { groups: keysOf(groups.toReview), ...toReview },
    { groups: keysOf(groups.toReviewAgain), ...toReview, subject: lapsed },
    { groups: keysOf(groups.toApply), withoutSubject: notApplicableSince(upTo) },
  ]
}

function caseOf(groups: readonly Group[], rest: Partial<ReviewCase>, fits = (_: Group) => true): CountedCase {
  const matching = groups.filter(fits)
  return { groups: keysOf(matching), ...rest, count: matching.reduce((sum, { count }) => sum + count, 0) }
}

export function keysOf(groups: readonly GroupKey[]): GroupKey[] {
  const keys = groups.map(({ project, environment, scope, state }) => ({ project, environment, scope, state }))
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}
