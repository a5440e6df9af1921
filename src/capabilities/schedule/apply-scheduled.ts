import type { Author, ChangeRequest, Hold } from '../../domain/change-request'
import { summarize } from '../../domain/content/summary'
import { traceOf } from '../../domain/decisions/apply-trace'
import { loggedTexts } from '../../domain/decisions/decision'
import { dueAt } from '../../domain/decisions/schedule'
import { effectOf, endOfHold, type PlacedFreeze } from '../../domain/freezes/freeze'
import { instantOf } from '../../domain/instants'
import { frozenBy, missedBy, type Obstacle, obstacleTo, userDeleted } from '../../domain/schedule/obstacles'
import { approvalRecord } from '../../domain/steps/approval-record'
import { decisionTime } from '../../kernel/facts/expiry'
import { type FactGatherer, gathererFor } from '../../kernel/facts/gather'
import { isRejectionByHook } from '../../kernel/host/failures'
import { isDeleted } from '../../kernel/host/find-users'
import { previewOf } from '../../kernel/host/flag-state'
import { now } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { queueOf } from '../../kernel/step/perform-step'
import { canSettle, settleFirst } from '../../kernel/step/settle'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { endApply, startApply } from '../apply/apply'
import type { Plan } from '../apply/plan'
import { follow } from './follow'
import type { FreezeRound } from './freeze-round'
import { storeEndOfHold, storeHold, storeObstacle } from './store-obstacle'

export interface ScheduledReference {
  readonly project: string
  readonly id: number
}

/**
 * The result. `held`: a freeze delays it; `busy`: another apply of it is running; `waiting`: its predecessor is not applied yet;
 * `not-due`: it is no longer due.
 */
export type RunResult = 'applied' | 'failed' | 'suspended' | 'held' | 'busy' | 'waiting' | 'not-due'

/** Nothing was applied, and a retry would have the same result. */
class ObstacleError extends Error {
  readonly obstacle: Obstacle

  constructor(obstacle: Obstacle) {
    super(obstacle.reason)
    this.obstacle = obstacle
  }
}

/** A freeze delays it, or a freeze of an earlier one with the same flag or segment. */
class HoldError extends Error {
  readonly hold: Hold

  constructor(hold: Hold) {
    super(`The freeze ${hold.by} delays it.`)
    this.hold = hold
  }
}

/** Applied once, even if several processes try. Rejects if a retry may succeed: it is then still due. */
export async function applyScheduled(
  services: Services,
  reference: ScheduledReference,
  freezes: FreezeRound,
): Promise<RunResult> {
  let found: StoredChangeRequest | undefined
  try {
    return await services.writer.retryOnConflict(async () => {
      found = await services.storage.find(reference, reference.id)
      if (found === undefined || !isDue(found.changeRequest, now(services))) return 'not-due'
      if (found.changeRequest.applying != null) return settle(services, found)
      return attempt(services, found, freezes)
    })
  } catch (error) {
    if (found !== undefined && error instanceof HoldError) return storeHold(services, found, error.hold)
    if (!(error instanceof ObstacleError) || found === undefined) throw error
    return storeObstacle(services, found, error.obstacle)
  }
}

function isDue(changeRequest: ChangeRequest, at: string): boolean {
  const time = dueAt(changeRequest)
  return time !== null && instantOf(time) <= instantOf(at)
}

/** Ends an interrupted apply, if the gateway knows its result. Undefined if the change request must be applied now. */
async function settle(services: Services, found: StoredChangeRequest): Promise<RunResult | undefined> {
  if (!canSettle(services, found.changeRequest)) return 'busy'
  const { changeRequest } = await settleFirst(services, found)
  return changeRequest.state === 'Applied' ? 'applied' : undefined
}

async function attempt(
  services: Services,
  arrived: StoredChangeRequest,
  round: FreezeRound,
): Promise<RunResult | undefined> {
  const { storage, telemetry, writer } = services
  const startedAt = now(services)
  const followed = await follow(services, arrived)
  if (followed === undefined) return undefined
  if (followed.is === 'stopped') throw new ObstacleError(followed.obstacle)
  if (followed.is === 'waiting') return wait(followed.predecessor)
  const due = followed.stored
  if (!isDue(due.changeRequest, now(services))) return 'not-due'
  const summary = summarize(due.changeRequest)
  const freezes = await round.of(summary)
  requireNoFreeze(freezes, now(services))
  const earlier = await round.heldBefore(summary)
  if (earlier?.held !== undefined) throw new HoldError(earlier.held)
  const held = due.changeRequest.scheduling?.held
  const since = endOfHold(freezes, { dueAt: dueAt(due.changeRequest) ?? '', held }, now(services))
  const found = held === undefined ? due : await storeEndOfHold(services, due, since)
  const { changeRequest } = found
  await requireTimeAndPerson(services, changeRequest, laterOf(since, changeRequest.scheduling?.predecessorAppliedAt))
  const author = changeRequest.scheduling?.by
  if (author === undefined) throw new ObstacleError(userDeleted(changeRequest))
  const placeFreezes = await round.throughout(summary)
  const gatherer = gathererFor(services, author.person, changeRequest, { placeFreezes })
  await gatherer.forStep('applyScheduled')
  const progress = await writer.runExclusive(queueOf(changeRequest.id), async () => {
    const loaded = await storage.find(changeRequest, changeRequest.id)
    if (loaded === undefined || loaded.version !== found.version) return undefined
    const planWith = (source: FactGatherer) => planApply(services, source, { loaded, author, freezes })
    const plan = await planWith(gatherer)
    return failOnRejection(() => startApply(services, plan, (flags) => planWith(gatherer.onFlags(flags))))
  })
  if (progress === undefined) return undefined
  await failOnRejection(() => endApply(services, progress))
  const { project, environment } = changeRequest
  const lateMs = Math.max(0, instantOf(startedAt) - instantOf(since))
  telemetry.record('scheduleLateness', lateMs / 1_000, { place: { project, environment } })
  return 'applied'
}

/** What delays its predecessor delays it, too. @throws HoldError */
function wait({ scheduling }: ChangeRequest): 'waiting' {
  if (scheduling?.held !== undefined) throw new HoldError(scheduling.held)
  return 'waiting'
}

function laterOf(time: string, other: string | undefined): string {
  return other !== undefined && instantOf(other) > instantOf(time) ? other : time
}

/** @throws ObstacleError, or HoldError if a freeze has started since */
async function planApply(
  services: Services,
  source: FactGatherer,
  due: { readonly loaded: StoredChangeRequest; readonly author: Author; readonly freezes: readonly PlacedFreeze[] },
): Promise<Plan> {
  const { loaded, author, freezes } = due
  const { changeRequest } = loaded
  const facts = await source.forStep('applyScheduled')
  const { now: at, expiry } = decisionTime(services)
  requireNoFreeze(freezes, at)
  const obstacle = obstacleTo(changeRequest, { ...facts, expiry })
  if (obstacle !== undefined) throw new ObstacleError(obstacle)
  const record = approvalRecord(changeRequest, { ...facts, expiry })
  const trace = {
    ...traceOf(changeRequest, { ...facts, expiry }, at),
    ...loggedTexts(facts, { title: changeRequest.title }),
  }
  const command = { by: { author }, now: at, comment: null, scheduled: true, record, trace } as const
  return { loaded, command, preview: previewOf(changeRequest, facts.flags) }
}

function requireNoFreeze(freezes: readonly PlacedFreeze[], at: string): void {
  const { suspendedBy, hold } = effectOf(freezes, at) ?? {}
  if (suspendedBy !== undefined) throw new ObstacleError(frozenBy(suspendedBy))
  if (hold !== undefined) throw new HoldError(hold)
}

async function requireTimeAndPerson(services: Services, changeRequest: ChangeRequest, since: string): Promise<void> {
  const { clock, options } = services
  const { scheduling } = changeRequest
  const lateMs = clock().getTime() - instantOf(since)
  if (lateMs > options.limits.scheduleGraceMs) throw new ObstacleError(missedBy(lateMs))
  const person = scheduling?.by.person
  if (person !== undefined && (await isDeleted(services, person))) throw new ObstacleError(userDeleted(changeRequest))
}

/** A rejection by the gateway is final. */
async function failOnRejection<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!isRejectionByHook(error)) throw error
    throw new ObstacleError({ status: 'failed', reason: error.message })
  }
}
