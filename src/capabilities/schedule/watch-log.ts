import { featureSubject, segmentSubject } from '../../domain/content/grouping'
import { dueAt } from '../../domain/decisions/schedule'
import { earlyObstacle, type Obstacle, userDeleted } from '../../domain/schedule/obstacles'
import { gathererFor } from '../../kernel/facts/gather'
import { readPages } from '../../kernel/pages'
import { findUsers, schedulerIn } from '../../kernel/people/find-users'
import type { Services } from '../../kernel/services'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { storeObstacle } from './store-obstacle'

const eventsPerPage = 500
const maxFirstChecks = 100

/**
 * Reads the log while a change request is scheduled. Checks the scheduled change requests that a new event may affect, so
 * that they are suspended early. Obstacles that this check misses are found when the change request is due.
 */
export class LogWatch {
  readonly #services: Services
  /** The last event that was read; undefined while nothing is scheduled. */
  #position: number | undefined

  constructor(services: Services) {
    this.#services = services
  }

  /** Stops reading the log, because nothing is scheduled. */
  stop(): void {
    this.#position = undefined
  }

  /** Checks the change requests that the events since the last call may affect. */
  async check(): Promise<void> {
    const { storage } = this.#services
    if (this.#position === undefined) {
      const { lastId } = await storage.eventHead({})
      for (const { project, id } of await storage.due({ limit: maxFirstChecks })) {
        await this.#check(await storage.find({ project }, id))
      }
      this.#position = lastId
      return
    }
    let searched = eventsPerPage
    while (searched === eventsPerPage) {
      const page = await storage.eventPage({}, { after: this.#position }, eventsPerPage)
      searched = page.searched
      if (searched === 0) return this.#checkPosition()
      await this.#checkAfter(JSON.parse(`[${Buffer.from(page.json)}]`))
      this.#position = page.lastId
    }
  }

  /** If the log ends before the position, the database was restored: the next call starts at its end. */
  async #checkPosition(): Promise<void> {
    const { lastId } = await this.#services.storage.eventHead({})
    if (lastId < (this.#position ?? 0)) this.#position = undefined
  }

  async #checkAfter(events: readonly SeenEvent[]): Promise<void> {
    const { storage } = this.#services
    const subjects = [...new Set(events.flatMap((event) => subjectOf(event) ?? []))]
    if (subjects.length > 0) {
      const filter = { states: ['Scheduled'], subjects, viewer: null } as const
      for await (const { items } of readPages((page) => storage.list(filter, page))) {
        for (const found of items) await this.#check(found)
      }
    }
    if (events.some(({ type }) => type === 'user-deleted')) await this.#checkPeople()
  }

  async #check(found: StoredChangeRequest | undefined): Promise<void> {
    if (found === undefined || dueAt(found.changeRequest) === null) return
    const obstacle = await this.#findObstacle(found)
    if (obstacle !== undefined) await storeObstacle(this.#services, found, obstacle)
  }

  async #findObstacle({ changeRequest }: StoredChangeRequest): Promise<Obstacle | undefined> {
    const services = this.#services
    const { scheduling, applying } = changeRequest
    if (scheduling === undefined || applying != null) return undefined
    const gatherer = gathererFor(services, scheduling.by.person, changeRequest)
    return earlyObstacle(changeRequest, await gatherer.forStep('applyScheduled'))
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

interface SeenEvent {
  readonly type: string
  readonly featureName: string | null
  readonly data: { readonly id?: unknown } | null
  readonly preData: { readonly id?: unknown } | null
}

/** The flag or segment that an event may affect; events of change requests affect none. */
function subjectOf({ type, featureName, data, preData }: SeenEvent): string | undefined {
  if (type.startsWith('change-')) return undefined
  if (featureName != null) return featureSubject(featureName)
  const id = data?.id ?? preData?.id
  return type.startsWith('segment-') && typeof id === 'number' ? segmentSubject(id) : undefined
}
