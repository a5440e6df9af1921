import type { EventCreator, EventStorage, EventsOfDay } from '../../../ports/storage/events'
import { type Names, safeInteger } from '../database/database'
import type { EventDialect } from './event-filter'
import type { PageHead } from './page-statement'

/** Events of one project, day and creator, or a single event. */
export interface CountedEvents {
  readonly project: string | null
  /** UTC, `yyyy-mm-dd`. */
  readonly day: string
  readonly creator: number | null
  readonly total: number
  readonly firstId: number
  readonly lastId: number
}

const instance = ''

/** The project and the term, the number of events, their first and their last id. */
type CountRow = [project: string, term: string, total: number, firstId: number, lastId: number]

/** Sums up what is stored about events: of the instance and of each project the number, and that of each day and creator. */
export class EventCounts {
  readonly #rows = new Map<string, CountRow>()

  add({ project, day, creator, total, firstId, lastId }: CountedEvents): void {
    for (const scope of new Set([instance, project || instance])) {
      for (const term of ['', `day:${day}`, ...(creator === null ? [] : [`creator:${creator}`])]) {
        const key = `${scope}\n${term}`
        const [, , counted, first, last] = this.#rows.get(key) ?? [scope, term, 0, firstId, lastId]
        this.#rows.set(key, [scope, term, counted + total, Math.min(first, firstId), Math.max(last, lastId)])
      }
    }
  }

  /** The rows of `event_counts`. */
  counts(): (readonly [project: string, total: number, lastId: number])[] {
    const rows = [...this.#rows.values()].filter(([, term]) => term === '')
    return rows.map(([project, , total, , lastId]) => [project, total, lastId])
  }

  /** The rows of `event_tallies`. */
  tallies(): CountRow[] {
    return [...this.#rows.values()].filter(([, term]) => term !== '')
  }

  has(project: string, term: string): boolean {
    return this.#rows.has(`${project}\n${term}`)
  }
}

export function storedCounts(
  { table }: Names,
  { among, json }: EventDialect,
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows: (text: string, values: readonly unknown[]) => Promise<any[]>,
): Pick<EventStorage, 'eventCreators' | 'eventsPerDay'> {
  const [tallies, events] = [table('event_tallies'), table('events')]
  const inScope = (projects?: readonly string[]) =>
    projects === undefined ? `project = ''` : `project <> '' and ${among('project', 'text')}`
  const scope = (projects?: readonly string[]) => (projects === undefined ? [] : [projects])
  return {
    async eventCreators(projects): Promise<EventCreator[]> {
      const named = (value: string) => `(select ${value} from ${events} where id = newest)`
      const text = `select id, ${named(`${json('body')} ->> 'createdBy'`)} as created_by, ${named('created_by_kind')} as kind
        from (select cast(substr(term, length('creator:') + 1) as bigint) as id, max(last_id) as newest from ${tallies}
          where term > 'creator:' and term < 'creator;' and ${inScope(projects)} group by term) as creators
        order by id`
      const found = await rows(text, scope(projects))
      return found.map(({ id, created_by: createdBy, kind }) => ({
        id: safeInteger(id),
        createdBy,
        ...(kind && { kind }),
      }))
    },
    async eventsPerDay({ from, to }, projects): Promise<EventsOfDay[]> {
      const text = `select substr(term, length('day:') + 1) as day, sum(total) as total from ${tallies}
        where term >= ? and term <= ? and ${inScope(projects)} group by term order by term`
      const found = await rows(text, [`day:${from}`, `day:${to}`, ...scope(projects)])
      return found.map(({ day, total }) => ({ date: day, total: safeInteger(total) }))
    },
  }
}

export function recountTexts({ table }: Names, { eachJson, greatest, dayOf }: EventDialect) {
  const [counts, tallies] = [table('event_counts'), table('event_tallies')]
  const rows = `from ${eachJson}`
  return {
    /** Takes an id and a number: counts that many events after it, by project, day and creator. */
    groups: `select project, ${dayOf('created_at')} as day, created_by_user_id as creator, count(*) as total,
        min(id) as first_id, max(id) as last_id
      from (select id, project, created_at, created_by_user_id from ${table('events')} where id > ? order by id limit ?) as e
      group by 1, 2, 3`,
    clearCounts: `delete from ${counts} where project <> ''`,
    clearTallies: `delete from ${tallies}`,
    addTallies: `insert into ${tallies} (project, term, total, first_id, last_id)
      select value ->> 0, value ->> 1, cast(value ->> 2 as bigint), cast(value ->> 3 as bigint), cast(value ->> 4 as bigint) ${rows}
      where true on conflict (project, term) do update
        set total = excluded.total, first_id = excluded.first_id, last_id = excluded.last_id`,
    // The newest id of the instance stays: ids continue from there even if all events were removed.
    addCounts: `insert into ${counts} as c (project, total, last_id)
      select value ->> 0, cast(value ->> 1 as bigint), cast(value ->> 2 as bigint) ${rows} where true
      on conflict (project) do update set total = excluded.total, last_id = ${greatest}(c.last_id, excluded.last_id)`,
  }
}

/** Adds groups of {@link recountTexts}, and returns the last id. */
// biome-ignore lint/suspicious/noExplicitAny: rows of the driver.
export function addGroups(counts: EventCounts, groups: readonly any[], after: number): number {
  let newest = after
  for (const { project, day, creator, total, first_id, last_id } of groups) {
    const lastId = safeInteger(last_id)
    const who = creator === null ? null : safeInteger(creator)
    counts.add({ project, day, creator: who, total: safeInteger(total), firstId: safeInteger(first_id), lastId })
    newest = Math.max(newest, lastId)
  }
  return newest
}

export function recounted(counts: EventCounts): { readonly tallies: string; readonly counts: string } {
  const all = counts.counts()
  const stored = all.length > 0 ? all : [[instance, 0, 0]]
  return { tallies: JSON.stringify(counts.tallies()), counts: JSON.stringify(stored) }
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
export function toHead({ matches, searched, last_id, resume, stored, hits, scanned }: any): PageHead {
  const id = (value: unknown) => (value === null ? null : safeInteger(value))
  return {
    matches: safeInteger(matches),
    searched: safeInteger(searched),
    lastId: safeInteger(last_id),
    resume: id(resume),
    stored: id(stored),
    hits: safeInteger(hits),
    scanned: safeInteger(scanned),
  }
}
