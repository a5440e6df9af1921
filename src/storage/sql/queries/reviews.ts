import type { GroupKey, ReviewCase, ReviewSearch } from '../../../ports/storage/change-requests'
import { type Names, type Reads, safeInteger } from '../database/database'
import { joined, sql } from '../database/sql'
import type { Bound, FilterDialect, Part } from './change-request-filter'
import { documentSize, type StoredTexts } from './stored-texts'

export interface ReviewDialect extends FilterDialect {
  /** With `planned` the statement is planned each time: the best index depends on the values. */
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows(text: string, values: readonly Bound[], planned?: 'each time'): Promise<any[]>
  readonly texts: StoredTexts
  /** A timestamp as UTC, ISO 8601 with milliseconds. */
  isoTime(column: string): string
  /** A position of a text in a text; 0 if it is not in it. */
  readonly position: 'instr' | 'strpos'
  /** The columns project, environment, whole_project and state of the groups: a list with the JSON text of each. */
  readonly groups: string
  /** The rows (id, at) that a query returns for each of these groups `g`. Both databases then use an index for each group. */
  perGroup(query: string): string
}

/** A number that the planner of Postgres does not know, so that it makes one plan for all values. */
const hidden = '(select cast(? as bigint))'

/** Fewer change requests with a text are found by id; with more, the other parts find them. */
const fewTexts = 3_000

/**
 * The parts of a statement that choose a page by the sizes of the texts of the rows `listed` (id, at); neither database has to
 * read the texts for that. The statement then reads the texts of the page, so that all steps see the same snapshot.
 */
export function pageParts(changeRequests: string, sizeOf: string, listed: string, direction: 'asc' | 'desc'): string {
  const order = `order by at ${direction}, id ${direction}`
  return `listed as (${listed}),
       sized as (
         select id, at, (select ${sizeOf} from ${changeRequests} as c where c.id = l.id) as size
         from listed as l
       ),
       placed as (
         select id, at, row_number() over ordered as place, sum(size) over ordered as bytes, count(*) over () as found
         from sized window ordered as (${order} rows unbounded preceding)
       )`
}

export function reviewReads({ table }: Pick<Names, 'table'>, dialect: ReviewDialect): Pick<Reads, 'reviews'> {
  const changeRequests = table('change_requests')
  const subjects = table('change_request_subjects')
  const texts = table('change_request_texts')

  return {
    async reviews(search) {
      const { order, limit, bytes, counts } = search
      const at = order === 'newest' ? 'created_at' : 'state_since'
      const direction = order === 'waiting' ? 'asc' : 'desc'
      const candidates = candidatesOf(search)
      const page = merged(search.cases.flatMap((one) => rowsOf(search, one, { at, direction })))
      const counted = counts.of.map((cases) => countOf(search, cases, counts.upTo))
      const listed = `select id, at from (${page.text}) as f order by at ${direction}, id ${direction} limit ${hidden}`
      const rows = await dialect.rows(
        `with ${candidates.text} ${pageParts(changeRequests, documentSize, listed, direction)},
         page as (select * from placed where place = 1 or (place <= ${hidden} and bytes <= ${hidden}))
         select n.*, c.version, c.document, c.content, p.found, p.id, ${dialect.isoTime('p.at')} as at
         from (select ${['0 as none', ...counted.map((one, n) => `(${one.text}) as count${n}`)].join(', ')}) as n
         left join page as p on true left join ${changeRequests} as c on c.id = p.id
         order by p.place`,
        [...candidates.values, ...page.values, limit + 1, limit, bytes, ...counted.flatMap(({ values }) => values)],
      )
      const items = rows.filter(({ version }) => version !== null).map((row) => dialect.texts.toStored(row))
      const last = rows.at(-1)
      const isLast = items.length === 0 || items.length === safeInteger(last.found)
      return {
        items,
        next: isLast ? null : { at: last.at, id: safeInteger(last.id) },
        counts: counted.map((_, n) => safeInteger(rows[0][`count${n}`])),
      }
    },
  }

  /** The rows (id, at) of a case that can be on the page. */
  function rowsOf(search: ReviewSearch, one: ReviewCase, { at, direction }: { at: string; direction: string }): Part[] {
    const { after, limit, order } = search
    const beyond = `(c.${at}, c.id) ${direction === 'desc' ? '<' : '>'} (?, ?)`
    const times = createdIn(search)
    // An expression has no index: the index of the order finds the rows, and contains the time.
    const further = order === 'newest' ? times : times.map((time) => sql<Bound>`(${time}) is true`)
    if (after !== undefined) further.push({ text: beyond, values: [after.at, after.id] })
    const end = `order by c.${at} ${direction}, c.id ${direction} limit ${atLeast(limit + 1)}`
    return found(search, one, `c.id, c.${at} as at`, further, end)
  }

  function countOf(search: ReviewSearch, cases: readonly ReviewCase[], upTo: number): Part {
    const times = createdIn(search)
    const rows = merged(cases.flatMap((one) => found(search, one, 'c.id, 0 as at', times, `limit ${upTo}`)))
    return { ...rows, text: `select count(*) from (select 1 from (${rows.text}) as f limit ${upTo}) as m` }
  }

  /** Few change requests have a subject, an author, a text or a schedule. They are read once, for all cases. */
  function candidatesOf(search: ReviewSearch): Part {
    const { subjects: all = [], createdBy, query } = search
    const [first, ...others] = all
    const conditions = others.map(hasSubject)
    const times = scheduledIn(search)
    if (query !== undefined && (first ?? createdBy ?? times[0]) !== undefined) conditions.push(hasText(query))
    if (first === undefined && times.length > 0) {
      if (createdBy !== undefined) conditions.push({ text: 'c.created_by + 0 = ?', values: [createdBy] })
      return candidates({ text: `${changeRequests} as c`, values: [] }, [...times, ...conditions])
    }
    conditions.push(...times)
    if (first !== undefined) {
      if (createdBy !== undefined) conditions.push({ text: 'c.created_by = ?', values: [createdBy] })
      const ids = `select change_request_id as id from ${subjects} where subject = ?`
      return candidates({ text: dialect.withIds(ids, changeRequests), values: [first] }, conditions)
    }
    if (createdBy !== undefined) {
      const byAuthor = { text: 'c.created_by = ?', values: [createdBy] }
      return candidates({ text: `${changeRequests} as c`, values: [] }, [byAuthor, ...conditions])
    }
    if (query === undefined) return { text: '', values: [] }
    // Postgres expects that few rows equal a number. A higher cost would compile the statement (JIT), which takes longer than all else.
    const matching = `matching as materialized (
        select change_request_id as id from ${texts} where cast(${dialect.position}(text, ?) > 0 as integer) = 1
        union all select cast(? as bigint)
      ),
      many as materialized (select count(*) > ${fewTexts} as yes from (select 1 from matching limit ${fewTexts + 1}) as m),`
    const ids = 'select distinct id from matching where not (select yes from many)'
    const rest = candidates({ text: dialect.withIds(ids, changeRequests), values: [] }, [])
    return { text: `${matching} ${rest.text}`, values: [query.part, query.id, ...rest.values] }
  }

  function candidates(from: Part, conditions: readonly Part[]): Part {
    const where = conditions.length === 0 ? '' : sql`where ${joined(conditions, ' and ')}`
    const columns = `c.id, c.project, c.environment, c.state, c.state_since, c.created_at, c.created_by, c.after_review,
      c.whole_project`
    return sql`candidates as materialized (select ${columns} from ${from} ${where}),`
  }

  function hasSubject(subject: Subjects): Part {
    return sql`exists (select 1 from ${subjects} as s where s.change_request_id = c.id and ${isSubject(subject)})`
  }

  /** In a plan for any subject, a value is one lookup by the primary key; for a condition, Postgres would read all rows with it. */
  function lacksSubject(subject: Subjects): Part {
    const one = sql`(select 1 from ${subjects} as s where s.change_request_id = c.id and ${isSubject(subject)} limit 1)`
    // Of a comparison, Postgres expects that a third of the rows pass.
    return sql`coalesce(${one}, 0) < 1`
  }

  function hasText({ part, id }: NonNullable<ReviewSearch['query']>): Part {
    // A value, not a condition: Postgres would compare the texts of all change requests first.
    const own = `(select t.text from ${texts} as t where t.change_request_id = c.id)`
    return { text: `(c.id = ? or ${dialect.position}(${own}, ?) > 0)`, values: [id, part] }
  }

  /** The rows of a case: among the candidates, or else by an index. */
  function found(search: ReviewSearch, one: ReviewCase, columns: string, beyond: readonly Part[], end: string): Part[] {
    if (one.groups.length === 0) return []
    const { createdBy, subjects: all = [], query, scheduledFrom, scheduledBefore } = search
    const { by, notBy, subject, withoutSubject, afterReview } = one
    const conditions: Part[] = [...beyond]
    if (notBy !== undefined) conditions.push({ text: 'c.created_by <> ?', values: [notBy] })
    if (withoutSubject !== undefined) conditions.push(lacksSubject(withoutSubject))
    const rowsOf = (from: string, parts: readonly Part[]): Part =>
      sql`select ${columns} from ${from} where ${joined(parts, ' and ')} ${end}`
    const inGroups: Part = {
      // An expression has no index: the groups do not find the rows.
      text: `(c.project || '', c.environment || '', case when c.whole_project then 1 else 0 end, c.state || '') in
        (select project, environment, case when whole_project then 1 else 0 end, state from ${dialect.groups} as g)`,
      values: [groupsValue(one.groups)],
    }
    const amongCandidates = () => {
      const also = [...conditions]
      if (by !== undefined) also.push({ text: 'c.created_by = ?', values: [by] })
      if (subject !== undefined) also.push(hasSubject(subject))
      if (afterReview) also.push({ text: 'c.after_review', values: [] })
      return alone(rowsOf('candidates as c', [inGroups, ...also]))
    }
    const isNarrow = createdBy !== undefined || all.length > 0 || (scheduledFrom ?? scheduledBefore) !== undefined
    if (isNarrow) return [amongCandidates()]
    const byIndex = () => {
      // Not a plain condition, which both databases would use to find the rows.
      const isMatching = '(c.id in (select id from matching)) is true'
      if (query !== undefined) conditions.push({ text: `(select yes from many) and ${isMatching}`, values: [] })
      const finds: Part[] = []
      if (subject !== undefined) {
        finds.push(sql`c.id in (select s.change_request_id from ${subjects} as s where ${isSubject(subject)})`)
      }
      // Must be the expression in the condition of the index.
      if (afterReview) finds.push({ text: 'c.after_review', values: [] })
      // The addition is an expression, as above.
      if (by !== undefined) finds.push({ text: `c.created_by ${finds.length > 0 ? '+ 0' : ''} = ?`, values: [by] })
      if (finds.length > 0) return alone(rowsOf(`${changeRequests} as c`, [...finds, inGroups, ...conditions]))
      const ofGroup = `c.project = g.project and c.environment = g.environment and c.whole_project = g.whole_project
        and c.state = g.state`
      const { text: inOne, values } = rowsOf(`${changeRequests} as c`, [{ text: ofGroup, values: [] }, ...conditions])
      return { text: dialect.perGroup(inOne), values: [groupsValue(one.groups), ...values] }
    }
    return query === undefined ? [byIndex()] : [amongCandidates(), byIndex()]
  }
}

function createdIn({ createdFrom: from, createdBefore: before }: ReviewSearch): Part[] {
  return [
    ...(from === undefined ? [] : [{ text: 'c.created_at >= ?', values: [from] }]),
    ...(before === undefined ? [] : [{ text: 'c.created_at < ?', values: [before] }]),
  ]
}

function scheduledIn({ scheduledFrom: from, scheduledBefore: before }: ReviewSearch): Part[] {
  return [
    ...(from === undefined ? [] : [{ text: 'c.scheduled_at >= ?', values: [from] }]),
    ...(before === undefined ? [] : [{ text: 'c.scheduled_at < ?', values: [before] }]),
  ]
}

type Subjects = NonNullable<ReviewCase['subject']>

/** A condition for the rows `s` of subjects. */
function isSubject(wanted: Subjects): Part {
  return typeof wanted === 'string'
    ? { text: 's.subject = ?', values: [wanted] }
    : { text: 's.subject >= ? and s.subject <= ?', values: [wanted.from, wanted.to] }
}

/** A limit of at least this number, out of few: each one is a statement of its own. */
function atLeast(limit: number): number {
  return [11, 26, 51].find((one) => one >= limit) ?? Math.max(limit, 101)
}

/** A query with an order and a limit as one of several. */
function alone(query: Part): Part {
  return sql`select * from (${query}) as r`
}

function groupsValue(groups: readonly GroupKey[]): string[] {
  return groups.map(({ project, environment, scope, state }) =>
    JSON.stringify([project, environment, scope === 'project', state]),
  )
}

function merged(parts: readonly Part[]): Part {
  if (parts.length > 0) return joined(parts, ' union all ')
  return sql`select cast(null as bigint) as id, cast(null as timestamptz) as at where false`
}
