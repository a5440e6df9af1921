import { requestOf } from './exceptions'
import type { LoggedEvent } from './lines'
import { isWithin, type Period } from './period'

/** Steps that leave a change request a draft, or remove it. The evidence has no drafts. */
const draftTypes: ReadonlySet<string> = new Set([
  'change-request-created',
  'change-added',
  'change-edited',
  'change-discarded',
  'change-request-discarded',
  'change-request-requested-approvers-updated',
])

const [noLine, removed, noEvent] = [-1, -2, -1]
const [inPeriod, submitted] = [1, 2]

/** What was read of each change request, in columns: objects would take three times the memory. */
export class RequestTable {
  readonly #period: Period
  readonly #rows = new Map<number, number>()
  readonly #ids = new Numbers()
  /** The newest event that the line knows. */
  readonly #lastEvents = new Numbers()
  readonly #flags = new Numbers()
  readonly #projects = new Numbers()
  /** Where the newest event of the change request is in the columns of events. */
  readonly #newest = new Numbers()
  readonly #events = new Numbers()
  /** Where the previous event of the same change request is. */
  readonly #previous = new Numbers()
  readonly #projectNames: string[] = []

  constructor(period: Period) {
    this.#period = period
  }

  /** @param lastEvent the id of the newest event of the line, null without an event */
  addLine(id: number, lastEvent: number | null): void {
    this.#lastEvents.set(this.#rowOf(id), lastEvent ?? 0)
  }

  /** The database no longer has it. */
  remove(id: number): void {
    this.#lastEvents.set(this.#rowOf(id), removed)
  }

  /** An event of a change request, behind all earlier ones. */
  addEvent(event: LoggedEvent): void {
    const row = this.#rowOf(requestOf(event) ?? 0, event.project ?? '')
    this.#events.push(event.id)
    this.#previous.push(this.#newest.at(row))
    this.#newest.set(row, this.#events.length - 1)
    const period = isWithin(this.#period, event.createdAt) ? inPeriod : 0
    this.#flags.set(row, this.#flags.at(row) | period | (draftTypes.has(event.type) ? 0 : submitted))
  }

  /** Those of the evidence whose line does not know all of their events, or knows one that was not read. */
  *stale(asOf: number): Generator<{ readonly id: number; readonly project: string }> {
    for (let row = 0; row < this.#ids.length; row += 1) {
      const lastEvent = this.#lastEvents.at(row)
      if (this.#flags.at(row) !== (inPeriod | submitted) || lastEvent === removed) continue
      const isCurrent = lastEvent === this.#events.at(this.#newest.at(row)) && lastEvent <= asOf
      if (!isCurrent) yield { id: this.#ids.at(row), project: this.#projectNames[this.#projects.at(row)] ?? '' }
    }
  }

  /** The newest event that its line knows; 0 without a line. */
  lastEventOf(id: number): number {
    return Math.max(0, this.#lastEvents.at(this.#rowOf(id)))
  }

  /** Whether it has a line, and an event in the period. */
  isIncluded(id: number): boolean {
    const row = this.#rows.get(id)
    return row !== undefined && this.#lastEvents.at(row) >= 0 && (this.#flags.at(row) & inPeriod) !== 0
  }

  /** By id. */
  eventsOf(id: number): number[] {
    const events: number[] = []
    let at = this.#newest.at(this.#rowOf(id))
    for (; at !== noEvent; at = this.#previous.at(at)) events.push(this.#events.at(at))
    return events.reverse()
  }

  #rowOf(id: number, project = ''): number {
    const known = this.#rows.get(id)
    if (known !== undefined) {
      if (project !== '') this.#projects.set(known, this.#projectAt(project))
      return known
    }
    const row = this.#ids.length
    this.#rows.set(id, row)
    this.#ids.push(id)
    this.#lastEvents.push(noLine)
    this.#flags.push(0)
    this.#projects.push(this.#projectAt(project))
    this.#newest.push(noEvent)
    return row
  }

  #projectAt(name: string): number {
    const known = this.#projectNames.indexOf(name)
    return known >= 0 ? known : this.#projectNames.push(name) - 1
  }
}

const blockLength = 1 << 14

/** A growing list of numbers with 8 bytes each. */
class Numbers {
  readonly #blocks: Float64Array[] = []
  length = 0

  push(value: number): void {
    if (this.length % blockLength === 0) this.#blocks.push(new Float64Array(blockLength))
    this.length += 1
    this.set(this.length - 1, value)
  }

  at(index: number): number {
    return this.#blocks[Math.floor(index / blockLength)]?.[index % blockLength] ?? Number.NaN
  }

  set(index: number, value: number): void {
    const block = this.#blocks[Math.floor(index / blockLength)]
    if (block !== undefined) block[index % blockLength] = value
  }
}
