import { actionableStates } from '../../domain/actionable'
import type { ChangeRequest } from '../../domain/change-request'
import { affectsProject } from '../../domain/content/scope'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import type { State } from '../../domain/lifecycle'
import { isMet, type Requirement, requirementsOf } from '../../domain/steps/requirements'
import { approvalFactsOn, FactGatherer } from '../../kernel/facts/gather'
import type { Policy } from '../../kernel/facts/policy'
import { isClosed, placeOf } from '../../kernel/flags/places'
import { createPermissionCheck } from '../../kernel/permissions'
import type { Services } from '../../kernel/services'
import { type Described, describeAll } from '../../kernel/view/describe'
import type { Actor } from '../../ports/access'
import type { ChangeRequestFilter, ListCursor, StoredChangeRequest } from '../../ports/storage/change-requests'
import { createActionable } from './actionable'
import { readableProjects } from './search'

export interface ReviewSearch {
  readonly actor: Actor
  /** `me`: those that the caller can approve or apply; `mine`: those that they created; `all`: all that they can read. */
  readonly needs: 'me' | 'mine' | 'all'
  readonly project: string | undefined
  readonly environment: string | undefined
  readonly state: State | undefined
  /** Part of the title or of the name of a flag or segment, or the id. */
  readonly text: string | undefined
  readonly after: ListCursor | undefined
  readonly limit: number
}

export interface ReviewItem {
  readonly described: Described
  /** The requirements that are not met. */
  readonly waitsFor: readonly Requirement[]
}

export interface FoundReviews {
  readonly items: readonly ReviewItem[]
  /** The position of the last item; null on the last page. */
  readonly next: ListCursor | null
}

/** One page of change requests across projects, newest first, with the unmet requirements of each (contract 12). */
export async function listReviews(services: Services, search: ReviewSearch): Promise<FoundReviews> {
  const { storage } = services
  const found = await findSummaries(services, search)
  const page = found.slice(0, search.limit)
  const read = page.map(({ project, id }) => storage.find({ project }, id))
  // Change requests that were removed in the meantime are skipped.
  const stored = (await Promise.all(read)).filter((one): one is StoredChangeRequest => one !== undefined)
  const [described, policies] = await Promise.all([
    describeAll(services, stored),
    findPolicies(services, search.actor, stored),
  ])
  const last = page.at(-1)
  return {
    items: described.map((one) =>
      toItem(one, isClosed(one.changeRequest) ? undefined : policies.get(reachKey(one.changeRequest))),
    ),
    next: last !== undefined && found.length > page.length ? { createdAt: last.createdAt, id: last.id } : null,
  }
}

/** The policies by reach; closed change requests need no approvals. */
async function findPolicies(services: Services, actor: Actor, stored: readonly StoredChangeRequest[]) {
  const open = stored.map(({ changeRequest }) => changeRequest).filter((one) => !isClosed(one))
  const byReach = new Map(open.map((one) => [reachKey(one), one]))
  const hasPermission = createPermissionCheck(services, actor)
  const policies = [...byReach].map(async ([key, changeRequest]) => {
    const gatherer = new FactGatherer({ services, actor, hasPermission, changeRequest, showsReviewers: true })
    return [key, await gatherer.get('policy')] as const
  })
  return new Map(await Promise.all(policies))
}

/** The key is the same for change requests with the same policy. */
function reachKey(changeRequest: ChangeRequest): string {
  return JSON.stringify([placeOf(changeRequest), affectsProject(changeRequest.changes)])
}

function toItem(described: Described, policy: Policy | undefined): ReviewItem {
  const { changeRequest, flags } = described
  if (policy === undefined) return { described, waitsFor: [] }
  const requirements = requirementsOf(changeRequest, approvalFactsOn(changeRequest, flags, policy), policy.reviewers)
  return { described, waitsFor: requirements.filter((one) => !isMet(one)) }
}

/** The summaries of the page, plus one if there is a next page. Summaries are small, so many can be examined. */
async function findSummaries(services: Services, search: ReviewSearch): Promise<ChangeRequestSummary[]> {
  const filter = await filterOf(services, search)
  const wanted = createWanted(services, search)
  const found: ChangeRequestSummary[] = []
  let after: ListCursor | null = search.after ?? null
  do {
    const page = await services.storage.summaries(filter, { ...(after && { after }), limit: 1_000, bytes: 1 << 20 })
    for (const summary of page.items) {
      if (await wanted(summary)) found.push(summary)
      if (found.length > search.limit) return found
    }
    after = page.next
  } while (after !== null)
  return found
}

async function filterOf(services: Services, search: ReviewSearch): Promise<ChangeRequestFilter> {
  const { actor, needs, project, state } = search
  const readable = await readableProjects(services, actor, project)
  const states: readonly State[] | undefined =
    needs === 'me' ? actionableStates.filter((one) => state === undefined || one === state) : state && [state]
  const nobody = needs !== 'all' && actor.id === null
  return {
    projects: nobody || states?.length === 0 ? [] : readable,
    ...(states === undefined ? {} : { states }),
    ...(needs === 'mine' && actor.id !== null ? { createdBy: actor.id } : {}),
    viewer: actor.id,
  }
}

function createWanted(services: Services, { actor, needs, environment, text }: ReviewSearch) {
  const { isActionable } = createActionable(services, actor)
  const part = text?.toLowerCase()
  return async (summary: ChangeRequestSummary): Promise<boolean> => {
    if (environment !== undefined && summary.environment !== environment) return false
    if (part !== undefined && !textsOf(summary).some((one) => one.toLowerCase().includes(part))) {
      return String(summary.id) === part.replace(/^#/, '') && (needs !== 'me' || isActionable(summary))
    }
    return needs !== 'me' || isActionable(summary)
  }
}

function textsOf({ title, features, segments }: ChangeRequestSummary): string[] {
  return [...(title === null ? [] : [title]), ...features, ...segments.flatMap(({ name }) => name ?? [])]
}
