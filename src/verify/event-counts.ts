import type { InspectedCounts, InspectedEvent } from '../ports/storage/inspection'
import type { Findings } from './findings'

interface Count {
  total: number
  firstId: number
  lastId: number
}

/** The project of the counts of the whole log. */
const wholeLog = ''

/**
 * Counts events as far as each project was counted when its stored counts were read: events that are appended meanwhile are in
 * neither.
 */
export class EventCounts {
  readonly #stored: ReadonlyMap<string, InspectedCounts>
  readonly #newestId: number
  readonly #totalsOnly: boolean
  readonly #counted = new Map<string, Map<string, Count>>()

  /**
   * @param newestId what a project without stored counts is counted up to
   * @param totalsOnly the stored counts have none of days and users
   */
  constructor(stored: readonly InspectedCounts[], newestId: number, totalsOnly: boolean) {
    this.#stored = new Map(stored.map((one) => [one.project, one]))
    this.#newestId = newestId
    this.#totalsOnly = totalsOnly
  }

  add({ id, columns: { project, createdAt, createdByUserId } }: Pick<InspectedEvent, 'id' | 'columns'>): void {
    const terms = ['']
    if (!this.#totalsOnly) terms.push(`day:${String(createdAt).slice(0, 'yyyy-mm-dd'.length)}`)
    if (!this.#totalsOnly && createdByUserId !== null) terms.push(`creator:${createdByUserId}`)
    for (const scope of new Set([wholeLog, String(project ?? wholeLog)])) {
      if (id > this.#lastIdOf(scope)) continue
      const counts = this.#counted.get(scope) ?? new Map<string, Count>()
      this.#counted.set(scope, counts)
      for (const term of terms) {
        const count = counts.get(term)
        if (count === undefined) counts.set(term, { total: 1, firstId: id, lastId: id })
        else {
          count.total += 1
          count.lastId = id
        }
      }
    }
  }

  compare(findings: Findings): void {
    for (const project of new Set([...this.#stored.keys(), ...this.#counted.keys()])) {
      const counted = this.#counted.get(project) ?? new Map<string, Count>()
      const stored = new Map(this.#stored.get(project)?.events.map((one) => [one.term, one]))
      for (const term of new Set([...stored.keys(), ...counted.keys()])) {
        const [expected, found] = [counted.get(term), stored.get(term)]
        const name = `${project === wholeLog ? 'all events' : `events of ${project}`}${term === '' ? '' : ` (${term})`}`
        const total = expected?.total ?? 0
        // The newest id of the whole log stays when events are removed.
        const isLastKnown = project !== wholeLog || term !== ''
        const [first, last] = [found?.firstId ?? expected?.firstId, isLastKnown ? found?.lastId : expected?.lastId]
        if (
          total === (found?.total ?? 0) &&
          (total === 0 || (first === expected?.firstId && last === expected?.lastId))
        ) {
          continue
        }
        const text = (count: Omit<Count, 'firstId'> & { readonly firstId: number | null }) =>
          `${name}: ${count.total}, ids ${count.firstId ?? '?'} to ${count.lastId}`
        findings.add('counts', null, expected ? text(expected) : `${name}: 0`, found ? text(found) : `${name}: none`)
      }
    }
  }

  #lastIdOf(project: string): number {
    return this.#stored.get(project)?.newestId ?? this.#newestId
  }
}
