import type { PersonView } from '../../../generated/index'
import { person, requestOf, skipOf } from './exceptions'
import type { LoggedEvent } from './lines'
import { isWithin, type Period } from './period'
import type { RequestLine } from './source'

export const peopleColumns = [
  'id',
  'kind',
  'name',
  'proposed',
  'approved',
  'rejected',
  'objected',
  'applied',
  'skipped',
] as const

type Count = Exclude<(typeof peopleColumns)[number], 'id' | 'kind' | 'name'>

/** A row of `people.csv`: a user or machine, and what they did in the period. */
export type PersonRow = { readonly id: number; kind: string; name: string } & Record<Count, number>

/** Counts what each user did, from the events and the change requests. */
export class People {
  readonly #period: Period
  readonly #rows = new Map<number, PersonRow>()
  /** From the directory of the host app: null for users that it no longer has. */
  readonly #known = new Map<number, PersonView & { readonly kind?: string }>()
  /** From the log. */
  readonly #logged = new Map<number, string>()

  constructor(period: Period) {
    this.#period = period
  }

  addRequest({ author, votes, objections, ended, discussion }: RequestLine): void {
    const named = [author, ended?.by, ...votes.map((vote) => vote.person), ...discussion.map((one) => one.author)]
    for (const one of [...named, ...objections.map((one) => one.person)]) {
      if (one !== null && one !== undefined) this.#known.set(one.id, one)
    }
    for (const { person: by, at } of objections) {
      if (isWithin(this.#period, at)) this.#row(by.id, by.username).objected += 1
    }
  }

  addEvent(event: LoggedEvent): void {
    if (event.createdByUserId !== null) this.#logged.set(event.createdByUserId, event.createdBy)
    if (!isWithin(this.#period, event.createdAt)) return
    const skip = skipOf(event)
    if (skip !== undefined && skip.id != null) {
      const row = this.#row(skip.id, skip.by)
      row.skipped += 1
      row.kind = skip.kind ?? row.kind
    }
    if (requestOf(event) === null && skip !== undefined) return
    const { type, createdBy, createdByUserId, data } = event
    // Built-in identities have negative ids.
    if (createdByUserId === null || createdByUserId < 0) return
    const row = this.#row(createdByUserId, createdBy)
    const actor = data?.actor as { readonly kind?: string } | undefined
    if (actor?.kind !== undefined) row.kind = actor.kind
    // An acknowledgement is no approval.
    const count = data?.afterReview === true ? undefined : countOf[type]
    if (count !== undefined) row[count] += 1
  }

  /** The name and id of a user. A user who was deleted has the name of the log. */
  describe({ id, username }: PersonView): string {
    return person(username ?? this.#logged.get(id), id)
  }

  /** By id. */
  rows(): PersonRow[] {
    for (const row of this.#rows.values()) {
      const { username, kind } = this.#known.get(row.id) ?? {}
      row.name = username ?? row.name
      if (kind !== undefined && row.kind === 'person') row.kind = kind
    }
    return [...this.#rows.values()].sort((one, other) => one.id - other.id)
  }

  #row(id: number, name: string | null): PersonRow {
    const nothing = { proposed: 0, approved: 0, rejected: 0, objected: 0, applied: 0, skipped: 0 }
    const row = this.#rows.get(id) ?? { id, kind: 'person', name: name ?? '', ...nothing }
    this.#rows.set(id, row)
    return row
  }
}

const countOf: { readonly [type: string]: Count } = {
  'change-request-created': 'proposed',
  'change-request-approval-added': 'approved',
  'change-request-rejected': 'rejected',
  'change-request-applied': 'applied',
}
