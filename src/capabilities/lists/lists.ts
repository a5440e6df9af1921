import { expiredUpTo } from '../../domain/approval/expiry'
import { featureSubject, objectedInSubject } from '../../domain/content/grouping'
import { isOpen, type State } from '../../domain/lifecycle'
import { actionableStates } from '../../domain/steps/inbox'
import { states } from '../../generated/lists'
import { approvalExpiry } from '../../kernel/facts/expiry'
import { listSettings } from '../../kernel/host/settings'
import type { Services } from '../../kernel/services'
import { mapPages, type Page, readPages } from '../../kernel/view/pages'
import type { Actor } from '../../ports/access'
import type { ChangeRequestFilter, ReviewCase, StoredChangeRequest } from '../../ports/storage/change-requests'
import { createActionable } from './actionable'
import { keysOf, unexpiredCases } from './inbox-cases'

/** Maximum length of the list of a project (contract 2.2). */
const maxInList = 300

const open = states.filter(isOpen)
export const openOrScheduled: readonly State[] = [...open, 'Scheduled']

type Pages = AsyncGenerator<Page<StoredChangeRequest>>

interface InProject {
  readonly actor: Actor
  readonly project: string
}

export function listProject(services: Services, { actor, project }: InProject): Pages {
  return readList(services, { projects: [project], viewer: actor.id })
}

function readList({ storage }: Services, filter: ChangeRequestFilter): Pages {
  return readPages((page) => storage.list(filter, page), maxInList)
}

/** The caller's open change requests in environments where change requests are enabled. */
export async function* listPending(services: Services, { actor, project }: InProject): Pages {
  if (actor.id === null) return yield { items: [], last: true }
  const settings = await listSettings(services, project)
  const off = new Set(settings.filter((one) => !one.changeRequestsEnabled).map(({ environment }) => environment))
  const own = readList(services, { projects: [project], states: open, createdBy: actor.id, viewer: actor.id })
  yield* mapPages(own, (items) => items.filter(({ changeRequest }) => !off.has(changeRequest.environment)))
}

/** The open and scheduled change requests of all authors that change the flag. */
export function listPendingFor(
  services: Services,
  { actor, project, feature }: InProject & { readonly feature: string },
): Pages {
  const subjects = [featureSubject(feature)]
  return readList(services, { projects: [project], states: openOrScheduled, subjects, viewer: actor.id })
}

export async function countProject({ storage }: Services, { actor, project }: InProject) {
  const counts = await storage.countByState({ projects: [project], viewer: actor.id })
  return {
    total: states.reduce((sum, state) => sum + (counts[state] ?? 0), 0),
    applied: counts.Applied ?? 0,
    rejected: counts.Rejected ?? 0,
    reviewRequired: counts['In review'] ?? 0,
    approved: counts.Approved ?? 0,
    scheduled: counts.Scheduled ?? 0,
  }
}

/** Counts the change requests that the caller can approve or apply (contract 3.4, 8). */
export async function countActionable(services: Services, { actor, project }: InProject): Promise<number> {
  const { storage } = services
  const filter: ChangeRequestFilter = { projects: [project], states: actionableStates, viewer: actor.id }
  const { isGroupActionable } = createActionable(services, actor)
  const expiry = approvalExpiry(services)
  if (expiry !== undefined) return countUnexpired(services, filter, expiredUpTo(expiry), isGroupActionable)
  const groups = await storage.countGroups(filter)
  const answers = await Promise.all(groups.map(isGroupActionable))
  const actionable = groups.filter((_, index) => answers[index])
  const total = actionable.reduce((sum, { count }) => sum + count, 0)
  const toApply = keysOf(actionable.filter(({ state }) => state === 'Approved'))
  return toApply.length === 0
    ? total
    : total - (await countCases(services, [{ groups: toApply, subject: objectedInSubject(project) }]))
}

async function countCases({ storage }: Services, cases: readonly ReviewCase[]): Promise<number> {
  const counts = { of: [cases], upTo: Number.MAX_SAFE_INTEGER }
  const found = await storage.reviews({ cases: [], order: 'newest', limit: 1, bytes: 1, counts })
  return found.counts[0] ?? 0
}

/** The same if approvals expire: the storage compares the times of the approvals. */
async function countUnexpired(
  services: Services,
  filter: ChangeRequestFilter,
  upTo: string,
  isGroupActionable: ReturnType<typeof createActionable>['isGroupActionable'],
): Promise<number> {
  const keys = keysOf(await services.storage.countGroups(filter))
  const allowed = async (state: State, as: State, own: boolean) => {
    const there = keys.filter((key) => key.state === state)
    const answers = await Promise.all(
      there.map((key) => isGroupActionable({ ...key, state: as, own, reviewed: false })),
    )
    return there.filter((_, index) => answers[index])
  }
  const casesOf = async (own: boolean) => {
    const [toReview, toReviewAgain, toApply] = await Promise.all([
      allowed('In review', 'In review', own),
      allowed('Approved', 'In review', own),
      own ? [] : allowed('Approved', 'Approved', own),
    ])
    return unexpiredCases(filter.viewer ?? 0, upTo, { toReview, toReviewAgain, toApply }, own)
  }
  return countCases(services, (await Promise.all([casesOf(false), casesOf(true)])).flat())
}
