import type { EventRow } from '../../../ports/storage'
import type { Names } from '../shared/database'
import type { Statement } from './writes'

type Counted = Pick<EventRow, 'project' | 'featureName' | 'createdByUserId'>

interface Count {
  readonly key: readonly string[]
  added: number
  lastId: number
}

/** What new events add to the counts of the log. */
export class Tally {
  /** By project; '' is the whole instance. */
  readonly #counts = new Map<string, Count>()
  /** By kind, name and project. */
  readonly #tallies = new Map<string, Count>()

  add({ project, featureName, createdByUserId }: Counted, id: number): void {
    raise(this.#counts, [''], id)
    if (project !== null) raise(this.#counts, [project], id)
    if (featureName !== null) raise(this.#tallies, ['feature', featureName, project ?? ''], id)
    if (createdByUserId !== null) raise(this.#tallies, ['creator', String(createdByUserId), project ?? ''], id)
  }

  write(prepare: (text: string) => Statement, { table }: Names): void {
    const grown = 'do update set total = total + excluded.total, last_id = max(last_id, excluded.last_id)'
    const count = prepare(
      `insert into ${table('event_counts')} (project, total, last_id) values (?, ?, ?) on conflict (project) ${grown}`,
    )
    for (const { key, added, lastId } of this.#counts.values()) count.run(...key, added, lastId)
    const tally = prepare(
      `insert into ${table('event_tallies')} (kind, name, project, total, last_id) values (?, ?, ?, ?, ?)
       on conflict (kind, name, project) ${grown}`,
    )
    for (const { key, added, lastId } of this.#tallies.values()) tally.run(...key, added, lastId)
  }
}

function raise(counts: Map<string, Count>, key: readonly string[], id: number): void {
  const name = key.length === 1 ? (key[0] as string) : JSON.stringify(key)
  const known = counts.get(name)
  if (known === undefined) counts.set(name, { key, added: 1, lastId: id })
  else {
    known.added += 1
    known.lastId = id
  }
}
