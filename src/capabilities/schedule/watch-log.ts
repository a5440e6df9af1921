import type { ChangeRequest } from '../../domain/change-request'
import {
  featureSubject,
  isWaiting,
  scheduledSubjects,
  segmentSubject,
  usedSegmentSubject,
} from '../../domain/content/grouping'
import { dueAt } from '../../domain/decisions/schedule'
import { earlyObstacle, userDeleted } from '../../domain/schedule/obstacles'
import type { EventView } from '../../generated/index'
import { approvalExpiry } from '../../kernel/facts/expiry'
import { gathererFor } from '../../kernel/facts/gather'
import { findUsers, schedulerIn } from '../../kernel/host/find-users'
import { parsedEvents } from '../../kernel/log/event-bytes'
import { followPages } from '../../kernel/log/follow'
import type { Services } from '../../kernel/services'
import { readPages } from '../../kernel/view/pages'
import { pause, pauseAfter } from '../../pause'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { followAll, followEach } from './follow'
import { storeObstacle } from './store-obstacle'

const maxFirstChecks = 100
const firstPauseMs = 1_000
const maxPauseMs = 30_000

/**
 * Follows the log while a change request is scheduled. Checks the scheduled change requests that a new event may affect, so
 * that they are suspended early. Obstacles that this check misses are found when the change request is due.
 */
export class LogWatch {
  readonly #services: Services
  /** The events up to this id were checked; undefined before the first check. */
  checkedTo: number | undefined
  #following: { readonly end: AbortController; readonly ended: Promise<void> } | undefined

  constructor(services: Services) {
    this.#services = services
  }

  start(): void {
    if (this.#following !== undefined) return
    const end = new AbortController()
    this.#following = { end, ended: this.#follow(end.signal) }
  }

  async stop(): Promise<void> {
    const following = this.#following
    this.#following = undefined
    following?.end.abort()
    await following?.ended
  }

  async #follow(signal: AbortSignal): Promise<void> {
    await this.#retry(signal, async () => {
      const { lastId } = await this.#services.storage.eventHead({})
      await followAll(this.#services)
      await this.#checkFirst()
      this.checkedTo = lastId
    })
    const follower = { filter: {}, grouped: false, after: this.checkedTo, signal }
    for await (const { page, position } of followPages(this.#services, follower)) {
      await this.#retry(signal, () => this.#checkAfter(parsedEvents(page)))
      this.checkedTo = position.id
    }
  }

  /** Repeats a check until it succeeds, or until the signal aborts. */
  async #retry(signal: AbortSignal, check: () => Promise<void>): Promise<void> {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        return await check()
      } catch (err) {
        if (failures === 1 && !(await this.#services.outage.explains(err))) {
          this.#services.logger.warn({ err }, 'Scheduled change requests could not be checked early. Retrying.')
        }
        await pause(pauseAfter(failures, firstPauseMs, maxPauseMs), signal)
      }
    }
  }

  async #checkFirst(): Promise<void> {
    const { storage } = this.#services
    for (const { project, id } of await storage.due({ limit: maxFirstChecks })) {
      await this.#check(await storage.find({ project }, id))
    }
  }

  async #checkAfter(events: readonly EventView[]): Promise<void> {
    const { storage } = this.#services
    for (const followed of changedRequests(events)) await followEach(this.#services, followed)
    const subjects = scheduledSubjects(events.flatMap(subjectsOf))
    if (subjects.length > 0) {
      const filter = { subjects, viewer: null }
      for await (const { items } of readPages((page) => storage.list(filter, page))) {
        for (const found of items) await this.#check(found)
      }
    }
    if (events.some(({ type }) => type === 'user-deleted')) await this.#checkPeople()
  }

  async #check(found: StoredChangeRequest | undefined): Promise<void> {
    if (found === undefined || dueAt(found.changeRequest) === null || isWaiting(found.changeRequest)) return
    const services = this.#services
    const { changeRequest } = found
    const { scheduling, applying } = changeRequest
    if (scheduling === undefined || applying != null) return
    const gatherer = gathererFor(services, scheduling.by.person, changeRequest)
    const [facts, targets] = await Promise.all([gatherer.forRules('applyScheduled'), gatherer.get('targets')])
    const obstacle = earlyObstacle(changeRequest, { ...facts, targets, expiry: approvalExpiry(services) })
    if (obstacle !== undefined) await storeObstacle(services, found, obstacle)
  }

  async #checkPeople(): Promise<void> {
    const services = this.#services
    const scheduled = readPages((page) => services.storage.list({ states: ['Scheduled'], viewer: null }, page))
    for await (const { items } of scheduled) {
      const pending = items.filter(({ changeRequest }) => dueAt(changeRequest) !== null)
      const people = pending.flatMap(({ changeRequest }) => schedulerIn(changeRequest.scheduling) ?? [])
      const known = await findUsers(services, people)
      for (const found of pending) {
        const id = schedulerIn(found.changeRequest.scheduling)
        if (known === undefined || id === undefined || known.has(id)) continue
        await storeObstacle(services, found, userDeleted(found.changeRequest))
      }
    }
  }
}

/** The change requests whose state or schedule the events changed, each once. */
function changedRequests(events: readonly EventView[]): readonly Pick<ChangeRequest, 'id' | 'project'>[] {
  const found = new Map<number, string>()
  for (const { type, project, data, preData } of events) {
    const id = data?.changeRequestId ?? preData?.changeRequestId
    if (type.startsWith('change-') && typeof id === 'number' && project != null) found.set(id, project)
  }
  return [...found].map(([id, project]) => ({ id, project }))
}

/** The flag or segment that an event may affect, also where it is only used; events of change requests affect none. */
function subjectsOf({ type, featureName, data, preData }: EventView): string[] {
  if (type.startsWith('change-')) return []
  if (featureName != null) return [featureSubject(featureName)]
  const id = data?.id ?? preData?.id
  if (!type.startsWith('segment-') || typeof id !== 'number') return []
  return type === 'segment-deleted' ? [segmentSubject(id), usedSegmentSubject(id)] : [segmentSubject(id)]
}
