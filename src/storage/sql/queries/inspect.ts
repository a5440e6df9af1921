import type { ChangeRequest } from '../../../domain/change-request'
import type {
  Inspected,
  InspectedChangeRequest,
  InspectedConsumer,
  InspectedCounts,
  InspectedEvent,
  InspectionPart,
  MissingTable,
  StorageInspection,
} from '../../../ports/storage/inspection'
import { type Names, safeInteger } from '../database/database'
import type { Bound } from './change-request-filter'
import { columnNames } from './columns'
import { pageParts } from './reviews'
import { comparedStatesText } from './state-counts'
import { contentHash, type DocumentRow, documentHash, documentSize, toChangeRequest } from './stored-texts'

export interface InspectionDialect {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows(text: string, values: readonly Bound[], planned?: 'each time'): Promise<any[]>
  isoTime(column: string): string
  /** The function that makes one JSON array of the values of a column. */
  readonly jsonArray: 'json_agg' | 'json_group_array'
  /** A join with the users in `reviewedBy` of the summary of a change request `c`. */
  readonly reviewers: string
  /** Takes the name of a table as it is in SQL, and selects the names of its columns as `name`. */
  columnsOf(table: string): string
}

/** The parts of the inspection whose statements read a table; those of others read none of it. */
const partsOf: { readonly [table: string]: readonly InspectionPart[] } = {
  change_requests: ['changeRequests', 'counts'],
  change_request_subjects: ['changeRequests'],
  change_request_texts: ['changeRequests'],
  change_request_counts: ['counts'],
  events: ['changeRequests', 'events', 'counts', 'consumers'],
  event_counts: ['counts', 'consumers'],
  event_tallies: ['counts'],
  consumers: ['consumers'],
}

/** Below every id, also below one that a defect of the disk made negative. */
const beforeAll = Number.MIN_SAFE_INTEGER

/** Reads what is stored as it is stored, one statement for each page. */
export function inspection(
  names: Names,
  tables: ReadonlyMap<string, readonly string[]>,
  { rows, isoTime, jsonArray, reviewers, columnsOf }: InspectionDialect,
): StorageInspection {
  const { table } = names
  const [changeRequests, events, consumers] = [table('change_requests'), table('events'), table('consumers')]
  const columnList = columnNames
    .map(([name, { column, type }]) => `${type === 'time' ? isoTime(`c.${column}`) : `c.${column}`} as "${name}"`)
    .join(', ')
  // An index also finds a row whose own id is another one, after a defect of the disk.
  const ownSubjects = `${jsonArray}(subject) filter (where change_request_id + 0 = c.id)`
  const changeRequestsText = `with ${pageParts(changeRequests, `${documentSize} + octet_length(summary)`, listed(changeRequests), 'asc')}
    select c.id, c.version, c.summary, c.document, c.document_sha256, c.content, c.content_sha256, ${columnList},
      (select text from ${table('change_request_texts')} where change_request_id = c.id) as search_text,
      (select cast(${ownSubjects} as text) from ${table('change_request_subjects')}
        where change_request_id = c.id) as subjects,
      (select max(id) from ${events} where change_request_id = c.id) as last_event
    from placed as p join ${changeRequests} as c on c.id = p.id
    where p.place = 1 or p.bytes <= ? order by p.place`
  const eventsText = `with ${pageParts(events, 'octet_length(body)', listed(events), 'asc')}
    select c.id, ${isoTime('c.created_at')} as created_at, c.type, c.project, c.environment, c.feature_name,
      c.created_by_user_id, c.created_by_kind, c.change_request_id, c.group_type, c.group_id, c.body
    from placed as p join ${events} as c on c.id = p.id
    where p.place = 1 or p.bytes <= ? order by p.place`
  const consumersText = `select name, position, event_id, fingerprint from ${consumers}
    where name > ? order by name limit ?`
  const withProject = ['change_requests', 'change_request_counts', 'event_counts', 'event_tallies']
  const nextProject = `select min(project) as project from (${withProject
    .map((one) => `select min(project) as project from ${table(one)} where project > ?`)
    .join(' union all ')}) as projects`
  const [counts, tallies] = [table('event_counts'), table('event_tallies')]
  const eventCounts = `select term, total, first_id, last_id from (
      select cast(null as text) as term, 0 as total, cast(null as bigint) as first_id, last_id, 0 as place from ${counts} where project = ''
      union all select '', total, cast(null as bigint), last_id, 1 from ${counts} where project = ?
      union all select term, total, first_id, last_id, 2 from ${tallies} where project = ?
    ) as stored order by place`
  const compared = comparedStatesText(names, reviewers)

  return {
    async missing() {
      const missing: MissingTable[] = []
      for (const [name, columns] of tables) {
        const found = new Set((await rows(columnsOf(table(name)), [])).map((row) => row.name))
        const parts = partsOf[name] ?? []
        if (found.size === 0) missing.push({ name, parts })
        else for (const one of columns) if (!found.has(one)) missing.push({ name: `${name}.${one}`, parts })
      }
      return missing
    },
    async changeRequests({ after, limit, bytes }) {
      const found = await rows(changeRequestsText, [after ?? beforeAll, limit, bytes], 'each time')
      return pageOf(found.map(toInspected), ({ id }) => id)
    },
    async events({ after, limit, bytes }) {
      const found = await rows(eventsText, [after ?? beforeAll, limit, bytes], 'each time')
      return pageOf(found.map(toEvent), ({ id }) => id)
    },
    async counts({ after }) {
      const project: string | null =
        after === null ? '' : (await rows(nextProject, Array(withProject.length).fill(after)))[0].project
      if (project === null) return { items: [], next: null }
      const [newest, ...stored] = await rows(eventCounts, [project, project])
      const states = project === '' ? [] : await rows(compared, Array(4).fill(project))
      const item: InspectedCounts = {
        project,
        newestId: Number(newest?.last_id ?? 0),
        events: stored.map(({ term, total, first_id, last_id }) => {
          return { term, total: Number(total), firstId: asNumber(first_id), lastId: Number(last_id) }
        }),
        changeRequests: states.map(({ author, environment, whole_project, state, stored, counted }) => ({
          name: `${author === '' ? 'all' : author} ${environment} ${whole_project ? 'project ' : ''}${state}`,
          stored: Number(stored),
          counted: Number(counted),
        })),
      }
      return { items: [item], next: project }
    },
    async consumers({ after, limit }) {
      const found = await rows(consumersText, [after ?? '', limit])
      return pageOf(found.map(toConsumer), ({ name }) => name)
    },
  }
}

/** Selects the next rows of a table, for {@link pageParts}. */
function listed(from: string): string {
  return `select id, id as at from ${from} where id > ? order by id limit ?`
}

function pageOf<Item, After>(items: readonly Item[], keyOf: (item: Item) => After): Inspected<Item, After> {
  const last = items.at(-1)
  return { items, next: last === undefined ? null : keyOf(last) }
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
function toInspected(row: any): InspectedChangeRequest {
  const { document, content, document_sha256, content_sha256, search_text, subjects, last_event } = row
  const [id, version] = [safeInteger(row.id), Number(row.version)]
  const stored = typeof document_sha256 === 'string' ? `${document_sha256} ${content_sha256}` : null
  return {
    id,
    version,
    changeRequest: parsed({ version, document, content }),
    sha256: { stored, computed: `${documentHash(version, document)} ${contentHash(id, content)}` },
    columns: Object.fromEntries(
      columnNames.map(([name, { type }]) => [name, asType(row[name], type)]),
    ) as unknown as InspectedChangeRequest['columns'],
    summary: row.summary,
    searchText: search_text,
    subjects: JSON.parse(subjects ?? '[]'),
    lastEventId: Number(last_event ?? 0),
  }
}

function parsed(row: DocumentRow): ChangeRequest | null {
  try {
    return toChangeRequest(row)
  } catch {
    return null
  }
}

/** Drivers return booleans and numbers in different types. */
function asType(value: unknown, type: (typeof columnNames)[number][1]['type']): unknown {
  if (value === null) return null
  if (type === 'boolean') return value === true || value === 1
  return type === 'number' ? Number(value) : value
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
function toEvent(row: any): InspectedEvent {
  return {
    id: safeInteger(row.id),
    columns: {
      createdAt: row.created_at,
      type: row.type,
      project: row.project,
      environment: row.environment,
      featureName: row.feature_name,
      createdByUserId: asNumber(row.created_by_user_id),
      createdByKind: row.created_by_kind,
      changeRequestId: asNumber(row.change_request_id),
      groupType: row.group_type,
      groupId: row.group_id,
    },
    json: row.body,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
function toConsumer({ name, position, event_id, fingerprint }: any): InspectedConsumer {
  return { name, position: Number(position), event: event_id === null ? null : { id: Number(event_id), fingerprint } }
}

function asNumber(value: unknown): number | null {
  return value === null ? null : Number(value)
}
