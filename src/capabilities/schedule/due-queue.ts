import { type ChangeRequestSummary, subjectsOfSummary } from '../../domain/content/summary'
import { dueAt } from '../../domain/decisions/schedule'
import type { DueCursor } from '../../ports/storage/change-requests'
import type { Storage } from '../../ports/storage/storage'

const pageSize = 100
/** So many are ready at a time. */
const mostReady = 64
/** A walk ends after so many that have to wait for others. */
const mostBlocked = 1_000

export interface DueWalk {
  /** What may be carried out now, in any order: no two of them touch the same, nor do any that run. */
  readonly ready: readonly ChangeRequestSummary[]
  /** True when others are due as well, which have to wait for these. */
  readonly more: boolean
}

/**
 * Reads what is due, the earliest first. What touches the same flag or segment is carried out one after the other, in the
 * order of the times; while one of them waits, so do those after it.
 *
 * @param busy The flags and segments of what is being carried out.
 * @param isPaused True for what is to be left alone for a while.
 */
export async function walkDue(
  storage: Storage,
  before: string,
  busy: ReadonlySet<string>,
  isPaused: (summary: ChangeRequestSummary) => boolean,
): Promise<DueWalk> {
  const taken = new Set(busy)
  const ready: ChangeRequestSummary[] = []
  let blocked = 0
  let after: DueCursor | undefined
  for (;;) {
    const page: ChangeRequestSummary[] = await storage.due({ before, limit: pageSize, ...(after && { after }) })
    for (const summary of page) {
      const subjects = subjectsOfSummary(summary)
      const waits = subjects.some((subject) => taken.has(subject))
      if (waits) blocked += 1
      else if (!isPaused(summary)) ready.push(summary)
      for (const subject of subjects) taken.add(subject)
      if (ready.length === mostReady || blocked === mostBlocked) return { ready, more: true }
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return { ready, more: blocked > 0 }
    after = { dueAt: dueAt(last) as string, id: last.id }
  }
}
