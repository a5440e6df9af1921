import type { Hold } from '../../domain/change-request'
import { groupBy } from '../../domain/content/grouping'
import { subjectsOfSummary } from '../../domain/content/summary'
import { effectOf, nextCheck } from '../../domain/freezes/freeze'
import type { DueChangeRequest, DueCursor } from '../../ports/storage/change-requests'
import type { Storage } from '../../ports/storage/storage'
import { type FreezeRound, isBefore } from './freeze-round'

const pageSize = 100
const maxReady = 64
/** The read ends after this number of change requests that must wait for others. */
const maxBlocked = 1_000

interface DueQuestion {
  readonly before: string
  readonly busy: ReadonlySet<string>
  readonly freezes: FreezeRound
  /** True for a change request that waits for its next attempt. */
  isPaused(due: DueChangeRequest): boolean
  /** Called for a change request whose freezes cannot be read. */
  onFailure(due: DueChangeRequest, error: unknown): Promise<void>
}

/**
 * Reads the change requests that are due, earliest first. Change requests with a common flag or segment are applied one
 * after the other, in the order of their times. While one of them is paused, the later ones wait. Those that the same freeze
 * still holds are due again later.
 *
 * @returns `ready`: those that can be applied now, in any order and concurrently, because no two of them, and no running one,
 *   share a flag or segment. `more`: whether others are due that must wait for these.
 */
export async function readDue(storage: Storage, question: DueQuestion) {
  const { before, busy, freezes, isPaused, onFailure } = question
  const blockedSubjects = new Set(busy)
  const held = new HeldAgain()
  const ready: DueChangeRequest[] = []
  let blocked = 0
  let after: DueCursor | undefined
  const end = async (more: boolean) => {
    await held.move(storage, before)
    return { ready, more }
  }
  for (;;) {
    const page: DueChangeRequest[] = await storage.due({ before, limit: pageSize, ...(after && { after }) })
    for (const due of page) {
      const subjects = subjectsOfSummary(due)
      if (subjects.some((subject) => blockedSubjects.has(subject))) blocked += 1
      else if (!isPaused(due)) {
        try {
          const effect = effectOf(await freezes.of(due), before)
          const hold = effect === undefined ? held.before(due) : effect.hold
          if (held.keep(due, hold)) continue
          ready.push(due)
        } catch (error) {
          await onFailure(due, error)
        }
      }
      for (const subject of subjects) blockedSubjects.add(subject)
      if (ready.length === maxReady || blocked === maxBlocked) return end(true)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return end(blocked > 0)
    after = { dueAt: last.dueAt, scheduledAt: last.schedule?.scheduledAt ?? last.dueAt, id: last.id }
    // SQLite never waits, so all pages would be read in one iteration of the event loop.
    await new Promise(setImmediate)
  }
}

/** The held change requests whose hold has not changed: only the time of their next check is stored. */
class HeldAgain {
  readonly #bySubject = new Map<string, DueChangeRequest[]>()
  readonly #kept = new Map<number, Hold>()

  /** Returns false if the change request is not held, or if its hold must be stored. */
  keep(due: DueChangeRequest, hold: Hold | undefined): boolean {
    if (hold === undefined || due.held?.by !== hold.by || due.held.until !== hold.until) return false
    this.#kept.set(due.id, hold)
    for (const subject of subjectsOfSummary(due)) {
      const others = this.#bySubject.get(subject)
      if (others === undefined) this.#bySubject.set(subject, [due])
      else others.push(due)
    }
    return true
  }

  /** The hold of an earlier one with the same flag or segment. */
  before(due: DueChangeRequest): Hold | undefined {
    const others = subjectsOfSummary(due).flatMap((subject) => this.#bySubject.get(subject) ?? [])
    return others.find((other) => isBefore(other, due))?.held
  }

  /** One statement for all that are checked again at the same time. */
  async move(storage: Storage, now: string): Promise<void> {
    const byTime = groupBy(this.#kept, ([, hold]) => nextCheck(hold, now))
    for (const [dueAt, kept] of byTime) await storage.hold({ ids: kept.map(([id]) => id), dueAt })
  }
}
