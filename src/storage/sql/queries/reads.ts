import type { ChangeRequestSummary } from '../../../domain/content/summary'
import type { Settings } from '../../../domain/decisions/settings'
import type {
  ChangeRequestFilter,
  ListCursor,
  ListedPage,
  SummaryPage,
  UpdatedFilter,
} from '../../../ports/storage/change-requests'
import { type Names, type Reads, safeInteger } from '../database/database'
import { joined } from '../database/sql'
import { distinct, matching, type Part } from './change-request-filter'
import { timesReads } from './due'
import { pageParts, type ReviewDialect, reviewReads } from './reviews'
import { groupsStatement, storedCountsStatement, toGroups } from './state-counts'
import { type DocumentRow, documentSize, toChangeRequest } from './stored-texts'
import { telemetryReads } from './telemetry'

export interface Dialect extends ReviewDialect {
  /** The column `project` in a list over several projects: no index of it may be chosen, so that the list is read in its order. */
  readonly projectInOrder: string
  /** Makes the table in front of it be read by the index, where the planner needs that. */
  byIndex(index: string): string
}

export function changeRequestReads({ table, index }: Names, dialect: Dialect): Reads {
  const changeRequests = table('change_requests')
  const documentColumns = 'version, document, content'
  // Built once, as they are read with nearly every request.
  const findText = `select ${documentColumns} from ${changeRequests} where id = ?`
  const findInProjectText = `${findText} and project = ?`
  const findSettingsText = `select s.project, s.environment, s.enabled, s.required_approvals, s.version
    from ${dialect.groups} as g
    join ${table('settings')} as s on s.project = g.project and s.environment = g.environment`
  const byId = dialect.byIndex(index('change_requests_updated_at'))
  const toStored = (row: DocumentRow) => dialect.texts.toStored(row)
  /** The best index depends on the values, unless subjects find the rows. */
  const planned = ({ subjects }: ChangeRequestFilter) => (subjects === undefined ? 'each time' : undefined)

  /** First finds the rows, by an index alone where it has all columns of the filter. */
  async function pageOf<Item>(
    columns: string,
    sizeOf: string,
    filter: ChangeRequestFilter,
    { after, limit, bytes, offset = 0 }: SummaryPage,
    // biome-ignore lint/suspicious/noExplicitAny: what a row has depends on the columns.
    toItem: (row: any) => Item,
    placeOf: (item: Item) => ListCursor,
  ): Promise<ListedPage<Item>> {
    const { text, values } = matching(filter, table, dialect, dialect.projectInOrder)
    const afterCursor = after === undefined ? '' : 'and (created_at, c.id) < (?, ?)'
    const listed = `select c.id, created_at as at from ${text} ${afterCursor}
      order by created_at desc, c.id desc limit ? offset ?`
    const rows = await dialect.rows(
      `with ${pageParts(changeRequests, sizeOf, listed, 'desc')}
       select ${columns}, p.found from placed as p join ${changeRequests} as c on c.id = p.id
       where p.place = 1 or (p.place <= ? and p.bytes <= ?) order by p.place`,
      [...values, ...(after === undefined ? [] : [after.createdAt, after.id]), limit + 1, offset, limit, bytes],
      planned(filter),
    )
    const items = rows.map(toItem)
    const last = items.at(-1)
    if (last === undefined || items.length === safeInteger(rows[0].found)) return { items, next: null }
    const { createdAt, id } = placeOf(last)
    return { items, next: { createdAt, id } }
  }

  return {
    find: async ({ project }, id) => {
      const [row] = await (project === undefined
        ? dialect.rows(findText, [id])
        : dialect.rows(findInProjectText, [id, project]))
      return row && toStored(row)
    },
    list: (filter, page) =>
      pageOf(documentColumns, documentSize, filter, page, toStored, ({ changeRequest }) => changeRequest),
    listById: async (filter, { after, limit, bytes }) => {
      const { text, values } = updated(filter, dialect)
      const listed = `select c.id, c.id as at from ${changeRequests} as c ${byId} where c.id > ? and ${text}
        order by c.id limit ?`
      const rows = await dialect.rows(
        `with ${pageParts(changeRequests, documentSize, listed, 'asc')}
         select c.id, ${documentColumns}, p.found,
           (select max(e.id) from ${table('events')} as e where e.change_request_id = c.id) as last_event
         from placed as p join ${changeRequests} as c on c.id = p.id
         where p.place = 1 or (p.place <= ? and p.bytes <= ?) order by p.place`,
        [after, ...values, limit + 1, limit, bytes],
        'each time',
      )
      // Nothing is written after this read, so the contents are not remembered.
      const items = rows.map((row) => ({
        ...{ version: row.version, changeRequest: toChangeRequest(row), lastEventId: safeInteger(row.last_event ?? 0) },
      }))
      const last = rows.at(-1)
      return { items, next: last && items.length < safeInteger(last.found) ? safeInteger(last.id) : null }
    },
    summaries: (filter, page) =>
      pageOf(
        'summary',
        'octet_length(summary)',
        filter,
        page,
        ({ summary }): ChangeRequestSummary => JSON.parse(summary),
        (summary) => summary,
      ),
    countByState: async (filter) => {
      const { text, values } = matching(filter, table, dialect)
      const counted = `select state, count(*) as count from ${text} group by state`
      const stored = storedCountsStatement(table, filter, dialect.among)
      const rows = await (stored === undefined
        ? dialect.rows(counted, values, planned(filter))
        : dialect.rows(stored.text, stored.values))
      return Object.fromEntries(rows.map(({ state, count }) => [state, safeInteger(count)]))
    },
    countGroups: async (filter) => {
      const { text, values } = groupsStatement(table, filter, dialect.among)
      return (await dialect.rows(text, values)).flatMap(toGroups)
    },
    ...reviewReads({ table }, dialect),
    ...timesReads(changeRequests, dialect),
    ...telemetryReads(table, dialect),
    projects: async () => {
      const rows = await dialect.rows(
        `${distinct(changeRequests, 'project')} select value from found where value is not null
         union select project from ${table('event_counts')} where project <> ''`,
        [],
      )
      return rows.map(({ value }) => value)
    },
    findSettings: async (places) => {
      const wanted = [...new Set(places.map(({ project, environment }) => JSON.stringify([project, environment])))]
      const rows = await dialect.rows(findSettingsText, [wanted])
      return places.map(({ project, environment }) => {
        const row = rows.find((one) => one.project === project && one.environment === environment)
        return row && toSettings(row)
      })
    },
    settings: async (projects) => {
      const next = (project: string, after = '') =>
        `(select min(environment) from ${changeRequests} where project = ${project} ${after})`
      const rows = await dialect.rows(
        `with recursive found(project, value) as (
           select p.value, ${next('p.value')} from ${dialect.values} as p
           union all
           select project, ${next('found.project', 'and environment > found.value')} from found where value is not null
         )
         select e.project, e.environment, s.enabled, s.required_approvals, s.version
         from (select project, value as environment from found where value is not null
           union select project, environment from ${table('settings')} where ${dialect.among('project')}) as e
         left join ${table('settings')} as s on s.project = e.project and s.environment = e.environment`,
        [projects, projects],
      )
      return projects.map((project) =>
        rows
          .filter((row) => row.project === project)
          .map(toSettings)
          .sort((one, other) => (one.environment < other.environment ? -1 : 1)),
      )
    },
    findIdempotencyRecord: async ({ userId, key }, since) => {
      const [row] = await dialect.rows(
        `select ${dialect.isoTime('created_at')} as created_at, fingerprint, project, change_request_id, comment_id
         from ${table('idempotency')} where user_id = ? and key = ? and created_at >= ?`,
        [userId, key, since],
      )
      return (
        row && {
          userId,
          key,
          createdAt: row.created_at,
          fingerprint: row.fingerprint,
          project: row.project,
          changeRequestId: safeInteger(row.change_request_id),
          commentId: row.comment_id === null ? null : safeInteger(row.comment_id),
        }
      )
    },
  }
}

/** A condition for the rows `c`, on columns of the index. */
function updated({ projects, updatedFrom, updatedBefore }: UpdatedFilter, { among }: Dialect): Part {
  const conditions: Part[] = [
    { text: `c.state <> 'Draft'`, values: [] },
    ...(projects === undefined ? [] : [{ text: among('c.project'), values: [projects] }]),
    ...(updatedFrom === undefined ? [] : [{ text: 'c.updated_at >= ?', values: [updatedFrom] }]),
    ...(updatedBefore === undefined ? [] : [{ text: 'c.updated_at < ?', values: [updatedBefore] }]),
  ]
  return joined(conditions, ' and ')
}

// biome-ignore lint/suspicious/noExplicitAny: drivers return booleans and numbers in different types.
export function toSettings({ environment, enabled, required_approvals, version }: any) {
  if (version === null) return { environment: environment as string, settings: null, version: 0 }
  const settings: Settings = {
    changeRequestsEnabled: Boolean(enabled),
    requiredApprovals: safeInteger(required_approvals),
  }
  return { environment: environment as string, settings, version: safeInteger(version) }
}
