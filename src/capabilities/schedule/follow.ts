import type { ChangeRequest } from '../../domain/change-request'
import { followingOf, maxInRow, stoppedBy } from '../../domain/content/follow'
import { isWaiting, waitingSubject } from '../../domain/content/grouping'
import type { Decision } from '../../domain/decisions/decision'
import { continueSchedule, moveSchedule } from '../../domain/decisions/schedule'
import { type Obstacle, reasonOf } from '../../domain/schedule/obstacles'
import { findingsOf } from '../../domain/steps/rule'
import { noOverwrites } from '../../domain/steps/state-rules'
import { gathererFor } from '../../kernel/facts/gather'
import { findChangedSince, followersOf, isInCircle } from '../../kernel/facts/predecessor'
import { now } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { readPages } from '../../kernel/view/pages'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { storeObstacle } from './store-obstacle'

/** What the state of its predecessor means for a schedule that waits. */
type Followed =
  | { readonly is: 'waiting'; readonly predecessor: ChangeRequest; readonly stored: StoredChangeRequest }
  | { readonly is: 'free'; readonly stored: StoredChangeRequest }
  | { readonly is: 'stopped'; readonly obstacle: Obstacle }

/**
 * Moves a schedule with its predecessor, or ends its wait once that was applied. Undefined if another write was first. One that
 * does not wait is `free`.
 */
export async function follow(services: Services, found: StoredChangeRequest): Promise<Followed | undefined> {
  const { changeRequest } = found
  const { project, schedule, scheduling } = changeRequest
  if (!isWaiting(changeRequest)) return { is: 'free', stored: found }
  const predecessor = (await services.storage.find({ project }, scheduling?.follows as number))?.changeRequest
  const following = followingOf(changeRequest, predecessor)
  if ('status' in following || predecessor === undefined) return { is: 'stopped', obstacle: following as Obstacle }
  if (following.waits) {
    const { scheduledAt } = following
    if (scheduledAt === schedule?.scheduledAt) return { is: 'waiting', predecessor, stored: found }
    // Each would move the other one forever.
    if (await isInCircle(services, changeRequest, predecessor)) {
      return { is: 'stopped', obstacle: stoppedBy(changeRequest, 'itself follows this one') }
    }
    const stored = await services.writer.commit(found, moveSchedule(changeRequest, scheduledAt))
    return stored && { is: 'waiting', predecessor, stored }
  }
  const decided = await decideToContinue(services, changeRequest, predecessor, following.appliedAt)
  if ('status' in decided) return { is: 'stopped', obstacle: decided }
  const stored = await services.writer.commit(found, decided)
  return stored && { is: 'free', stored }
}

async function decideToContinue(
  services: Services,
  changeRequest: ChangeRequest,
  predecessor: ChangeRequest,
  appliedAt: string,
): Promise<Decision | Obstacle> {
  const author = changeRequest.scheduling?.by.person ?? changeRequest.createdBy
  const gatherer = gathererFor(services, author, changeRequest)
  const [targets, options, overwrites] = await Promise.all([
    gatherer.get('targets'),
    gatherer.get('options'),
    gatherer.get('overwrites'),
  ])
  const changed = await findChangedSince(services, changeRequest, predecessor, targets)
  // What it would overwrite now is older. From now on, what its predecessor left is known by its targets.
  const overwritten = findingsOf(noOverwrites, changeRequest, { options, overwrites })
  const missing = changed.length > 0 ? changed : overwritten.map(({ message }) => message)
  if (missing.length > 0) return { status: 'suspended', reason: reasonOf(missing) }
  return continueSchedule(changeRequest, now(services), { appliedAt, targets })
}

/** The same for all that follow a change request, and for those that follow them. */
export async function followEach(
  services: Services,
  followed: Pick<ChangeRequest, 'id' | 'project'>,
  atMost = maxInRow,
): Promise<void> {
  if (atMost === 0) return
  for (const found of await followersOf(services, followed)) {
    await followOrStop(services, found)
    await followEach(services, found.changeRequest, atMost - 1)
  }
}

/** The same for all that wait. Returns whether anything changed. */
export async function followAll(services: Services): Promise<boolean> {
  let hasChanged = false
  const waiting = readPages((page) => services.storage.list({ subjects: [waitingSubject], viewer: null }, page))
  for await (const { items } of waiting) {
    for (const found of items) if (await followOrStop(services, found)) hasChanged = true
  }
  return hasChanged
}

/** Stores it if the schedule can no longer run. Returns whether anything changed. */
async function followOrStop(services: Services, found: StoredChangeRequest): Promise<boolean> {
  const { project, id } = found.changeRequest
  return services.writer.retryOnConflict(async (first) => {
    const current = first ? found : await services.storage.find({ project }, id)
    if (current === undefined || current.changeRequest.applying != null) return false
    const followed = await follow(services, current)
    if (followed === undefined) return undefined
    if (followed.is !== 'stopped') return followed.stored !== current
    return (await storeObstacle(services, current, followed.obstacle)) !== 'not-due'
  })
}
