import { affectsProject } from '../../domain/actions/table'
import type { ApprovalExpiry } from '../../domain/approval/expiry'
import type { ChangeRequest } from '../../domain/change-request'
import { approverSubject, featureSubject, subjectsOf } from '../../domain/content/grouping'
import { searchText, summarize, toSearchText } from '../../domain/content/summary'
import { findOverwrites } from '../../domain/diff/overwrites'
import { byInstant } from '../../domain/instants'
import { isClosed, isOpen } from '../../domain/lifecycle'
import { type Because, becauseOf } from '../../domain/steps/inbox'
import { isBlocking, type Requirement, requirementsOf } from '../../domain/steps/requirements'
import { states } from '../../generated/lists'
import { approvalExpiry } from '../../kernel/facts/expiry'
import { approvalFactsOn, FactGatherer } from '../../kernel/facts/gather'
import type { Policy } from '../../kernel/facts/policy'
import { placeOf } from '../../kernel/host/flag-state'
import { createPermissionCheck, type PermissionCheck } from '../../kernel/host/permissions'
import type { Services } from '../../kernel/services'
import { type Described, describeAll } from '../../kernel/view/describe'
import type { Actor } from '../../ports/access'
import type { ReviewCursor, ReviewSearch, StoredChangeRequest } from '../../ports/storage/change-requests'
import type { parseReviewSearch } from '../../validation/queries/review-search'
import { createActionable } from './actionable'
import { type InboxCases, inboxCases } from './inbox-cases'
import { isUnknownCheck, unreported, unreportedCases } from './unreported'

export type InboxSearch = ReturnType<typeof parseReviewSearch> & { readonly actor: Actor }

export interface InboxItem {
  readonly described: Described
  /** The requirements that are not met. */
  readonly waitsFor: readonly Requirement[]
  readonly because: readonly Because[]
  /** Null while the gateway fails. */
  readonly conflict: boolean | null
  readonly overwrites: boolean | null
}

export interface Inbox {
  readonly items: readonly InboxItem[]
  /** The flag that all of them change, where the search names one. */
  readonly feature: string | undefined
  /** The position of the last item; null on the last page. */
  readonly next: ReviewCursor | null
  /** Null except on the first page. */
  readonly totals: InboxTotals | null
}

/** The number of matches of each part, at most {@link maxCounted} + 1. */
interface InboxTotals extends Readonly<Record<keyof InboxCases, number>> {
  /** Those of the caller's own ones with a conflict or an overwrite that `me` does not count; null while the gateway fails. */
  readonly toFix: number | null
}

interface InboxCaller extends ReturnType<typeof createActionable> {
  readonly actor: Actor
  readonly hasPermission: PermissionCheck
}

/** Numbers up to this are exact (contract 12). */
export const maxCounted = 1_000

const noReviews: Inbox = { items: [], feature: undefined, next: null, totals: null }

/** More of their own change requests are not compared with the flags. */
const maxOwn = 50
const maxBytes = 1 << 20
const openStates = states.filter(isOpen)

/** One page of change requests across projects, with what each needs (contract 12). */
export async function readInbox(services: Services, search: InboxSearch): Promise<Inbox> {
  const { storage } = services
  const { actor, needs, afterReview, after, order, limit, check } = search
  const hasPermission = createPermissionCheck(services, actor)
  const actionable = createActionable(services, actor, hasPermission)
  const { groups, projects } = await readableGroups(services, search, hasPermission)
  const cases = await inboxCases(groups, actor.id, actionable.allowedThroughout, approvalExpiry(services))
  const parts = afterReview ? onlyAfterReview(cases) : cases
  const filter = filterOf(search)
  if (check !== undefined && isUnknownCheck(services, check)) return noReviews
  // Only a look at each one shows whether it has a report, so none are counted.
  const isFirst = after === undefined && check === undefined
  const lists = isFirst ? [parts.me, parts.mine, parts.all] : []
  // Without a filter, the groups have the number of matches of most cases.
  const isFiltered = afterReview !== undefined || Object.keys(filter).length > 0
  const toCount = lists.map((cases) => cases.filter(({ count }) => isFiltered || count === undefined))
  const [found, own] = await Promise.all([
    storage.reviews({
      ...filter,
      cases: check === undefined ? parts[needs] : unreportedCases(parts[needs], check),
      order,
      ...(after && { after }),
      limit,
      bytes: maxBytes,
      counts: { of: toCount, upTo: maxCounted + 1 },
    }),
    isFirst ? readOwn(services, search, projects, filter) : [],
  ])
  const listed = new Set(found.items.map(({ changeRequest }) => changeRequest.id))
  const others = own.filter(({ changeRequest }) => !listed.has(changeRequest.id))
  const caller = { actor, hasPermission, ...actionable }
  const items = await toItems(services, [...others, ...found.items], caller, check)
  const ownIds = new Set(own.map(({ changeRequest }) => changeRequest.id))
  const ownItems = items.filter(({ described }) => ownIds.has(described.changeRequest.id))
  const toFix = ownItems.some(({ described }) => described.flagsError !== undefined)
    ? null
    : ownItems.filter(isToFix).length
  const totals = lists.map((cases, part) => {
    const known = cases.reduce((sum, { count }) => sum + (isFiltered ? 0 : (count ?? 0)), 0)
    return known + (found.counts[part] ?? 0)
  })
  const [me = 0, mine = 0, all = 0] = totals
  return {
    items: [...(needs === 'me' ? items.slice(0, others.length).filter(isToFix) : []), ...items.slice(others.length)],
    feature: search.feature,
    next: found.next,
    totals: isFirst ? { me, mine, all, toFix } : null,
  }
}

/** A change request as the inbox lists it, for a caller without permissions. Null for a draft, and if there is none. */
export async function readInboxItem(
  services: Services,
  { project, id }: { readonly project: string; readonly id: number },
): Promise<InboxItem | null> {
  const stored = Number.isSafeInteger(id) ? await services.storage.find({ project }, id) : undefined
  if (stored === undefined || stored.changeRequest.state === 'Draft') return null
  const actor: Actor = { id: null }
  // The host app knows no such caller.
  const hasPermission = async () => false
  const nobody = { actor, hasPermission, ...createActionable(services, actor, hasPermission) }
  const [item] = await toItems(services, [stored], nobody)
  return item ?? null
}

/** Only the flags show that it needs the caller. If stored facts show it too, they list and count it. */
function isToFix({ because }: InboxItem): boolean {
  return because.length > 0 && because.every((code) => code === 'conflict' || code === 'overwrite')
}

function onlyAfterReview({ me, mine, all }: InboxCases): InboxCases {
  const narrowed = (cases: InboxCases['me']) => cases.map((one) => ({ ...one, afterReview: true as const }))
  return { me: narrowed(me), mine: narrowed(mine), all: narrowed(all) }
}

/** The groups of the search that the caller can read, and their projects. */
async function readableGroups(services: Services, search: InboxSearch, hasPermission: PermissionCheck) {
  const { actor, project, environment, state } = search
  const filter = {
    ...(project === undefined ? {} : { projects: [project] }),
    ...(state === undefined ? {} : { states: [state] }),
    viewer: actor.id,
  }
  const all = await services.storage.countGroups(filter)
  const groups = all.filter((group) => environment === undefined || group.environment === environment)
  const found = [...new Set(groups.map((group) => group.project))]
  const readable = await Promise.all(found.map((one) => hasPermission('READ_CHANGE_REQUEST', { project: one })))
  const projects = found.filter((_, index) => readable[index])
  return { projects, groups: groups.filter((group) => projects.includes(group.project)) }
}

/** The parts of the search that the groups do not have. */
function filterOf(search: InboxSearch) {
  const { actor, author, createdFrom, createdTo, scheduledFrom, scheduledTo, feature, requested, query } = search
  const subjects = [
    ...(feature === undefined ? [] : [featureSubject(feature)]),
    ...(requested === undefined ? [] : [approverSubject(actor.id ?? 0)]),
  ]
  const part = toSearchText(query ?? '')
  return {
    ...(author === undefined ? {} : { createdBy: author }),
    ...(createdFrom === undefined ? {} : { createdFrom }),
    ...(createdTo === undefined ? {} : { createdBefore: createdTo }),
    ...(scheduledFrom === undefined ? {} : { scheduledFrom }),
    ...(scheduledTo === undefined ? {} : { scheduledBefore: scheduledTo }),
    ...(subjects.length === 0 ? {} : { subjects }),
    ...(part === '' ? {} : { query: { part, id: idIn(part) } }),
  } satisfies Partial<ReviewSearch>
}

function idIn(part: string): number | null {
  const [, digits] = /^#?(\d{1,15})$/.exec(part) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Newest first: only the flags say whether one has a conflict or overwrites edits. */
async function readOwn(
  { storage }: Services,
  { actor, environment, state, afterReview }: InboxSearch,
  projects: readonly string[],
  {
    createdBy,
    createdFrom,
    createdBefore,
    scheduledFrom,
    scheduledBefore,
    subjects = [],
    query,
  }: ReturnType<typeof filterOf>,
): Promise<StoredChangeRequest[]> {
  if (actor.id === null || (createdBy ?? actor.id) !== actor.id || afterReview) return []
  // None of these states has a schedule.
  if ((scheduledFrom ?? scheduledBefore) !== undefined) return []
  const wanted = openStates.filter((one) => state === undefined || one === state)
  if (wanted.length === 0 || projects.length === 0) return []
  const filter = { projects, states: wanted, createdBy: actor.id, viewer: actor.id }
  const { items } = await storage.list(filter, { limit: maxOwn, bytes: maxBytes })
  return items.filter(({ changeRequest }) => {
    const { createdAt } = changeRequest
    if (environment !== undefined && changeRequest.environment !== environment) return false
    if (createdFrom !== undefined && byInstant(createdAt, createdFrom) < 0) return false
    if (createdBefore !== undefined && byInstant(createdAt, createdBefore) >= 0) return false
    const all = subjectsOf(changeRequest)
    if (!subjects.every((subject) => all.includes(subject))) return false
    return (
      query === undefined || changeRequest.id === query.id || searchText(summarize(changeRequest)).includes(query.part)
    )
  })
}

async function toItems(
  services: Services,
  stored: readonly StoredChangeRequest[],
  caller: InboxCaller,
  check?: string,
): Promise<InboxItem[]> {
  const [all, policies] = await Promise.all([
    describeAll(services, stored, 'review'),
    findPolicies(services, stored, caller),
  ])
  const described = check === undefined ? all : await unreported(services, all, check, caller)
  const { actor, allowedThroughout } = caller
  const expiry = approvalExpiry(services)
  return Promise.all(
    described.map(async (one): Promise<InboxItem> => {
      const { changeRequest, flags, flagsError, conflicts } = one
      const flagsFailed = flagsError !== undefined
      const hasConflict = conflicts.changes.size > 0 || conflicts.features.size > 0
      const hasOverwrites = findOverwrites(changeRequest, flags).size > 0
      const placed = summarize(changeRequest)
      const [mayApprove, mayApply] = await Promise.all([
        allowedThroughout('APPROVE_CHANGE_REQUEST', placed),
        allowedThroughout('APPLY_CHANGE_REQUEST', placed),
      ])
      const facts = { userId: actor.id, mayApprove, mayApply, conflict: hasConflict, overwrites: hasOverwrites, expiry }
      return {
        described: one,
        waitsFor: waitsFor(one, isClosed(changeRequest) ? undefined : policies.get(reachKey(changeRequest)), expiry),
        because: becauseOf(changeRequest, facts),
        conflict: flagsFailed ? null : hasConflict,
        overwrites: flagsFailed ? null : hasOverwrites,
      }
    }),
  )
}

/** The policies by reach; closed change requests need no approvals. */
async function findPolicies(
  services: Services,
  stored: readonly StoredChangeRequest[],
  { actor, hasPermission, reachIn }: InboxCaller,
) {
  const open = stored.map(({ changeRequest }) => changeRequest).filter((one) => !isClosed(one))
  const byReach = new Map(open.map((one) => [reachKey(one), one]))
  const policies = [...byReach].map(async ([key, changeRequest]) => {
    const question = { services, actor, hasPermission, changeRequest, showsReviewers: true }
    const gatherer = new FactGatherer(question, { reach: await reachIn(summarize(changeRequest)) })
    return [key, await gatherer.get('policy')] as const
  })
  return new Map(await Promise.all(policies))
}

function reachKey(changeRequest: ChangeRequest): string {
  return JSON.stringify([placeOf(changeRequest), affectsProject(changeRequest.changes)])
}

function waitsFor(
  { changeRequest, flags }: Described,
  policy: Policy | undefined,
  expiry: ApprovalExpiry | undefined,
): Requirement[] {
  if (policy === undefined) return []
  const facts = { ...approvalFactsOn(changeRequest, flags, policy), expiry }
  return requirementsOf(changeRequest, facts, policy.reviewers).filter(isBlocking)
}
