import { type ChangeRequestSummary, subjectsOfSummary } from '../../domain/content/summary'
import { dueAt } from '../../domain/decisions/schedule'
import type { DueCursor } from '../../ports/storage/change-requests'
import type { Storage } from '../../ports/storage/storage'

const pageSize = 100
/** Maximum number of ready change requests per read. */
const maxReady = 64
/** The read ends after this number of change requests that must wait for others. */
const maxBlocked = 1_000

export interface DueChangeRequests {
  /** Can be applied now, in any order and concurrently: no two of them, and no running one, share a flag or segment. */
  readonly ready: readonly ChangeRequestSummary[]
  /** True if others are due that must wait for these. */
  readonly more: boolean
}

/**
 * Reads the change requests that are due, earliest first. Change requests with a common flag or segment are applied one
 * after the other, in the order of their times. While one of them is paused, the later ones wait.
 *
 * @param busy The flags and segments of change requests that are being applied.
 * @param isPaused True for a change request that waits for its next attempt.
 */
export async function readDue(
  storage: Storage,
  before: string,
  busy: ReadonlySet<string>,
  isPaused: (summary: ChangeRequestSummary) => boolean,
): Promise<DueChangeRequests> {
  const blockedSubjects = new Set(busy)
  const ready: ChangeRequestSummary[] = []
  let blocked = 0
  let after: DueCursor | undefined
  for (;;) {
    const page: ChangeRequestSummary[] = await storage.due({ before, limit: pageSize, ...(after && { after }) })
    for (const summary of page) {
      const subjects = subjectsOfSummary(summary)
      const isBlocked = subjects.some((subject) => blockedSubjects.has(subject))
      if (isBlocked) blocked += 1
      else if (!isPaused(summary)) ready.push(summary)
      for (const subject of subjects) blockedSubjects.add(subject)
      if (ready.length === maxReady || blocked === maxBlocked) return { ready, more: true }
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return { ready, more: blocked > 0 }
    after = { dueAt: dueAt(last) as string, id: last.id }
  }
}
