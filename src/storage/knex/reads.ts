import type { ChangeRequest } from '../../domain/change-request'
import type { ChangeRequestFilter, Settings, StoredChangeRequest } from '../../ports/storage'
import { type Names, type Reads, safeInteger } from './database'

export type Bound = string | number | readonly string[]

/** What the reads need to know of a database. */
export interface Dialect {
  /**
   * Runs a statement that has a `?` for each value. `planned` says that it is worth a plan of its own each time: which
   * index is best depends on the values.
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows(text: string, values: readonly Bound[], planned?: 'each time'): Promise<any[]>
  /** A condition that takes one list as its value. */
  among(column: string): string
  /** A timestamp as UTC, ISO 8601 with milliseconds. */
  isoTime(column: string): string
}

const documentColumns = 'version, document'

export function changeRequestReads({ table }: Names, dialect: Dialect): Reads {
  const changeRequests = table('change_requests')
  const where = (filter: ChangeRequestFilter) => condition(filter, table('change_request_subjects'), dialect)

  return {
    find: async ({ project }, id) => {
      const text = `select ${documentColumns} from ${changeRequests} where id = ? and project = ?`
      const [row] = await dialect.rows(text, [id, project])
      return row && toStored(row)
    },
    list: async (filter, { offset, limit }) => {
      const { text, values } = where(filter)
      const rows = await dialect.rows(
        `select ${documentColumns} from ${changeRequests} where ${text}
         order by created_at desc, id desc limit ? offset ?`,
        [...values, limit, offset],
        'each time',
      )
      return rows.map(toStored)
    },
    countByState: async (filter) => {
      const { text, values } = where(filter)
      const rows = await dialect.rows(
        `select state, count(*) as count from ${changeRequests} where ${text} group by state`,
        values,
        'each time',
      )
      return Object.fromEntries(rows.map(({ state, count }) => [state, safeInteger(count)]))
    },
    projects: async () => {
      const rows = await dialect.rows(
        `${distinct(changeRequests, 'project')} select value from found where value is not null
         union select project from ${table('event_counts')} where project <> ''`,
        [],
      )
      return rows.map(({ value }) => value)
    },
    findSettings: async (places) => {
      const [projects, environments] = [places.map(({ project }) => project), places.map((one) => one.environment)]
      const rows = await dialect.rows(
        `select project, environment, enabled, required_approvals, version from ${table('settings')}
         where ${dialect.among('project')} and ${dialect.among('environment')}`,
        [[...new Set(projects)], [...new Set(environments)]],
      )
      // What fits a project and an environment of two different places is left over.
      const found = new Map(rows.map((row) => [`${row.project} ${row.environment}`, toSettings(row)]))
      return places.map(({ project, environment }) => found.get(`${project} ${environment}`))
    },
    settings: async (project) => {
      const rows = await dialect.rows(
        `${distinct(changeRequests, 'environment', 'project = ?')}
         select e.value as environment, s.enabled, s.required_approvals, s.version
         from (select value from found where value is not null
           union select environment from ${table('settings')} where project = ?) as e
         left join ${table('settings')} as s on s.project = ? and s.environment = e.value`,
        [project, project, project, project],
      )
      return rows.map(toSettings).sort((one, other) => (one.environment < other.environment ? -1 : 1))
    },
    findAnswer: async ({ userId, key }, since) => {
      const [row] = await dialect.rows(
        `select ${dialect.isoTime('created_at')} as created_at, fingerprint, status, headers, body
         from ${table('answers')} where user_id = ? and key = ? and created_at >= ?`,
        [userId, key, since],
      )
      return (
        row && {
          userId,
          key,
          createdAt: row.created_at,
          fingerprint: row.fingerprint,
          status: safeInteger(row.status),
          headers: JSON.parse(row.headers),
          body: row.body,
        }
      )
    },
  }
}

function condition(filter: ChangeRequestFilter, subjects: string, { among }: Dialect) {
  const conditions: string[] = []
  const values: Bound[] = []
  function must(text: string, ...bound: Bound[]): void {
    conditions.push(text)
    values.push(...bound)
  }
  const { projects, states, createdBy, subject, viewer } = filter
  if (viewer === null) must(`state <> 'Draft'`)
  else must(`(state <> 'Draft' or created_by = ?)`, viewer)
  // With one project an index gives the order of the list.
  if (projects?.length === 1) must('project = ?', projects[0] as string)
  else if (projects !== undefined) must(among('project'), projects)
  if (states !== undefined) must(among('state'), states)
  if (createdBy !== undefined) must('created_by = ?', createdBy)
  if (subject !== undefined) must(`id in (select change_request_id from ${subjects} where subject = ?)`, subject)
  return { text: conditions.join(' and '), values }
}

/** The values of an indexed column as `found`, one step of the index each instead of a look at every row; ends in null. */
function distinct(from: string, column: string, scope?: string): string {
  const next = (after?: string) => {
    const conditions = [scope, after].filter((text) => text !== undefined)
    return `select min(${column}) from ${from}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`
  }
  return `with recursive found(value) as (
    ${next()}
    union all
    select (${next(`${column} > found.value`)}) from found where found.value is not null
  )`
}

function toStored(row: { version: number; document: string }): StoredChangeRequest {
  return { version: row.version, changeRequest: JSON.parse(row.document) as ChangeRequest }
}

// biome-ignore lint/suspicious/noExplicitAny: drivers answer booleans and numbers in ways of their own.
function toSettings({ environment, enabled, required_approvals, version }: any) {
  if (version === null) return { environment: environment as string, settings: null, version: 0 }
  const settings: Settings = {
    changeRequestsEnabled: Boolean(enabled),
    requiredApprovals: safeInteger(required_approvals),
  }
  return { environment: environment as string, settings, version: safeInteger(version) }
}
