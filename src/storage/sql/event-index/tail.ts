import type { EventCursor } from '../../../ports/storage/events'
import { rangeOf } from '../queries/event-filter'
import { type IndexedEvent, type TermGroup, term, termsOf } from './terms'

/** The newest event of a tail. If it has changed, the database was restored to an earlier state. */
export interface NewestEvent {
  readonly id: number
  readonly body: string
}

/** Events after the index, in order. */
export interface TailEvents {
  readonly events: readonly IndexedEvent[]
  /** The last of them; absent if there are none. */
  readonly newest?: NewestEvent
}

/** A user, with the id of their newest event. */
export interface CreatorHead {
  readonly id: number
  readonly lastId: number
}

/**
 * The terms of the events after the index, as far as this process has read them. Events get their ids in the order of their
 * commits, so that none is added below {@link to}. Immutable: a read is planned and counted with the same tail.
 */
export class Tail {
  static readonly none = new Tail(new Map())

  readonly newest: NewestEvent | undefined
  readonly #ids: ReadonlyMap<string, readonly number[]>
  #allCreators: readonly CreatorHead[] | undefined

  private constructor(ids: ReadonlyMap<string, readonly number[]>, newest?: NewestEvent) {
    this.#ids = ids
    this.newest = newest
  }

  /** The id of the newest event; -1 without events. */
  get to(): number {
    return this.newest?.id ?? -1
  }

  /** Adds later events, and drops those that are in the index. */
  extendedBy({ events, newest = this.newest }: TailEvents, sealedTo: number): Tail {
    const ids = new Map<string, readonly number[]>()
    for (const [key, known] of this.#ids) {
      const left = known.filter((id) => id > sealedTo)
      if (left.length > 0) ids.set(key, left)
    }
    const added = new Map<string, number[]>()
    for (const event of events) {
      for (const key of termsOf(event)) {
        const list = added.get(key)
        if (list === undefined) added.set(key, [event.id])
        else list.push(event.id)
      }
    }
    for (const [key, more] of added) ids.set(key, [...(ids.get(key) ?? []), ...more])
    return new Tail(ids, newest)
  }

  /** The matches after the index, newest first. */
  idsOf(groups: readonly TermGroup[], sealedTo: number, cursor: EventCursor): number[] {
    if (this.to <= sealedTo) return []
    const { above, below } = rangeOf(cursor)
    const [rarest = [], ...others] = groups.map((group) => this.#idsOf(group)).sort((a, b) => a.length - b.length)
    const sets = others.map((ids) => new Set(ids))
    return rarest
      .filter((id) => id > sealedTo && id > above && id < below && sets.every((ids) => ids.has(id)))
      .sort((a, b) => b - a)
  }

  /** The creators of the events, of all projects or of some. */
  creators(projects?: readonly string[]): readonly CreatorHead[] {
    if (projects !== undefined) return this.#creators(projects)
    this.#allCreators ??= this.#creators()
    return this.#allCreators
  }

  #creators(projects?: readonly string[]): CreatorHead[] {
    const inProjects = projects && new Set(projects.flatMap((project) => this.#ids.get(term('project', project)) ?? []))
    const creators: CreatorHead[] = []
    for (const [key, ids] of this.#ids) {
      if (!key.startsWith(creatorKey)) continue
      const lastId = inProjects === undefined ? ids.at(-1) : ids.findLast((id) => inProjects.has(id))
      if (lastId !== undefined) creators.push({ id: Number(key.slice(creatorKey.length)), lastId })
    }
    return creators
  }

  #idsOf({ terms, range, ids = [] }: TermGroup): readonly number[] {
    const [only] = terms
    if (range === undefined && terms.length === 1 && only !== undefined) return this.#ids.get(only) ?? []
    const inRange = range && [...this.#ids.keys()].filter((key) => key >= range.first && key <= range.last)
    // An event may have several terms of a history.
    return [...new Set([...terms, ...(inRange ?? [])].flatMap((key) => this.#ids.get(key) ?? []).concat(ids))]
  }
}

const creatorKey = term('creator', '')
