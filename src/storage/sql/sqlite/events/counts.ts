import type { Names } from '../../shared/database'
import type { Statement } from '../writes'

/** Sums up what new events add to the counts of the log. */
export class EventCounts {
  /** By project; '' is the whole instance. */
  readonly #counts = new Map<string, { added: number; lastId: number }>()

  add(project: string | null, id: number): void {
    this.#raise('', id)
    if (project !== null && project !== '') this.#raise(project, id)
  }

  write(prepare: (text: string) => Statement, { table }: Names): void {
    const count = prepare(
      `insert into ${table('event_counts')} (project, total, last_id) values (?, ?, ?)
       on conflict (project) do update set total = total + excluded.total, last_id = max(last_id, excluded.last_id)`,
    )
    for (const [project, { added, lastId }] of this.#counts) count.run(project, added, lastId)
  }

  #raise(project: string, lastId: number): void {
    const { added = 0 } = this.#counts.get(project) ?? {}
    this.#counts.set(project, { added: added + 1, lastId })
  }
}
