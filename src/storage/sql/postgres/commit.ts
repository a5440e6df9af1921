import type { EventRow } from '../../../ports/storage/events'
import { columnsOf } from '../../../ports/storage/inspection'
import type { Entry, Names } from '../database/database'
import { columnNames } from '../queries/columns'
import type { StoredTexts, WrittenTexts } from '../queries/stored-texts'
import { rareParameters, rareParts } from './commit-rare'
import { postgresEvents } from './events/statements'

/** What a batch needs of the commit statement. A part that no entry needs is left out, because it costs time even then. */
export interface CommitNeeds {
  readonly inserts: boolean
  readonly updates: boolean
  /** Deletions, settings and idempotency records. */
  readonly rare: boolean
  readonly counts: boolean
}

/**
 * Writes a whole batch in one statement: one round trip and one transaction. Its parts run in this order, because each reads
 * from the previous one:
 *
 * 1. Take the lock of these tables, so that event ids are assigned in the order in which they become visible. The lock does
 *    not depend on how the table names are spelled.
 * 2. Write the change requests, each with its own compare-and-set.
 * 3. Write the subjects and the events of the entries that won.
 * 4. Update the counts. Fail, which undoes everything, if an event is missing: a trigger can skip rows that look inserted.
 *
 * Subjects are compared with their state before the lock. This is safe: every change of the subjects changes the version, so a
 * write with the expected version has read the current subjects. They are compared as sets: one by one, 500 take 10 ms.
 *
 * `action` is a text column on purpose: the planner then expects few rows per action and finds them by id, even with a plan
 * that was made when the table was small. With two conditions on other columns it would scan the whole table.
 *
 * @param beforeLock expressions that are evaluated before the lock is requested, separated by commas.
 */
export function commitStatement(names: Names, beforeLock: string, needs: CommitNeeds): string {
  const { table } = names
  const { inserts, updates } = needs
  const rare = needs.rare ? rareParts(names) : undefined
  const won = [
    ...(updates ? ['select n from updated'] : []),
    ...(inserts
      ? [`select min(w.n) as n from write w join inserted i on i.id = w.id and w.action = 'insert' group by w.id`]
      : []),
    ...(rare?.won ?? []),
  ]
  return `with
    before_lock as materialized (select ${beforeLock}),
    append_lock as materialized (
      select ${appendLock(names)} from before_lock
    ),
    texts as materialized (
      select string_to_array($3, E'\\x1f') as texts
    ),
    write as materialized (
      select w.*, texts[place] as summary, texts[place + 1] as document, nullif(texts[place + 2], '') as content
      from append_lock, texts, json_to_recordset($1::json) as w(n integer, place integer, id bigint, version integer,
        expected integer, project text, environment text, created_by bigint, state text, open boolean,
        state_since timestamptz, after_review boolean, whole_project boolean, created_at timestamptz,
        updated_at timestamptz, due_at timestamptz,
        scheduled_at timestamptz, held boolean, applying_since timestamptz, document_sha256 text, content_sha256 text, subjects text[], search_text text, action text)
    ),${updates ? updatedPart(names) : ''}${inserts ? insertedPart(names) : ''}${rare?.writes ?? ''}
    won as materialized (
      ${won.length > 0 ? won.join('\n      union all\n      ') : 'select null::integer as n where false'}
    ),${updates || rare ? unlistedPart(names) : ''}${updates || inserts ? relatedParts(names) : ''}${rare?.record ?? ''}${needs.counts ? countedPart(names, needs.rare ? '$7' : '$5') : ''}
    appended as (
      insert into ${table('events')}
        (created_at, type, project, environment, feature_name, created_by_user_id, created_by_kind, change_request_id,
          group_type, group_id, trace, body)
      select e.created_at, e.type, e.project, e.environment, e.feature_name, e.created_by_user_id, e.created_by_kind,
        e.change_request_id, e.group_type, e.group_id, e.trace, e.body::text
      from append_lock, json_to_recordset($2::json) as e(n integer, ord integer, created_at timestamptz, type text, project text,
        environment text, feature_name text, created_by_user_id bigint, created_by_kind text, change_request_id bigint,
        group_type text, group_id text, trace text, body json)
      where e.n is null or e.n in (select n from won)
      order by e.ord
      returning id, project, created_at, created_by_user_id
    ),
    tallied as (
      insert into ${table('event_tallies')} as t (project, term, total, first_id, last_id)
      select scope, term, count(*), min(id), max(id)
      from appended cross join unnest(array['', nullif(project, '')]) as s(scope)
        cross join unnest(array['day:' || ${postgresEvents.dayOf('created_at')}, 'creator:' || created_by_user_id]) as k(term)
      where scope is not null and term is not null
      group by scope, term
      on conflict (project, term) do update
      set total = t.total + excluded.total, first_id = least(t.first_id, excluded.first_id),
        last_id = greatest(t.last_id, excluded.last_id)
    ),
    counted as (
      insert into ${table('event_counts')} as c (project, total, last_id)
      select scope, count(id), max(id)
      from (select project as scope, id from appended where project <> ''
        union all select '', id from appended
        union all select '', null) as one
      group by scope
      having case when scope <> '' then true
        when count(id) = ${rare ? `${rare.unrecorded} + ` : ''}($4::integer[])[1]${won.length > 0 ? ' + coalesce((select sum(($4::integer[])[n + 2]) from won), 0)' : ''} then count(id) > 0
        else current_setting('${lostRows}' || count(id))::boolean end
      on conflict (project) do update
      set total = c.total + excluded.total, last_id = greatest(c.last_id, excluded.last_id)
    )
    select n::text from won`
}

/** The name of a setting that does not exist: to read it is the only way of a statement to fail with a text of its own. */
const lostRows = 'change_requests.lost_rows_of_'

/** Whether the commit statement failed because a trigger had skipped rows. */
export function hasLostRows(error: unknown): boolean {
  return error instanceof Error && error.message.includes(lostRows)
}

function updatedPart(names: Names): string {
  return `
    updated as (
      update ${names.table('change_requests')} as c
      set updated_at = w.updated_at, state = w.state, state_since = w.state_since, open = w.open, after_review = w.after_review, version = w.version,
        whole_project = w.whole_project, due_at = w.due_at, scheduled_at = w.scheduled_at,
        held = w.held, applying_since = w.applying_since, summary = w.summary, document = w.document,
        document_sha256 = w.document_sha256, content = coalesce(w.content, c.content),
        content_sha256 = coalesce(w.content_sha256, c.content_sha256)
      from write w where w.action = 'update' and c.id = w.id and c.version = w.expected
      returning w.n
    ),`
}

function insertedPart({ table }: Names): string {
  return `
    inserted as (
      insert into ${table('change_requests')}
        (id, project, environment, created_by, state, state_since, open, after_review, whole_project, version, created_at,
          updated_at, due_at, scheduled_at, held, applying_since, summary, document, document_sha256, content, content_sha256)
      select id, project, environment, created_by, state, state_since, open, after_review, whole_project, version,
        created_at, updated_at, due_at, scheduled_at, held, applying_since, summary, document, document_sha256, content,
        content_sha256
      from write where action = 'insert' order by n
      on conflict do nothing
      returning id
    ),`
}

function unlistedPart({ table }: Names): string {
  return `
    gone as materialized (
      select w.id, array(
        select o.subject from ${table('change_request_subjects')} as o where o.change_request_id = w.id
        except select unnest(w.subjects)
      ) as subjects
      from write w where w.n in (select n from won) and w.expected > 0
    ),
    unlisted as (
      delete from ${table('change_request_subjects')} as s using gone
      where s.change_request_id = gone.id and s.subject = any (gone.subjects)
    ),`
}

function relatedParts({ table }: Names): string {
  return `
    listed as (
      insert into ${table('change_request_subjects')} (change_request_id, subject)
      select w.id, fresh.subject from write w, lateral (
        select unnest(w.subjects) as subject
        except select o.subject from ${table('change_request_subjects')} as o where o.change_request_id = w.id
      ) as fresh
      where w.n in (select n from won)
      on conflict do nothing
    ),
    searched as (
      insert into ${table('change_request_texts')} as t (change_request_id, text)
      select id, search_text from write where search_text is not null and n in (select n from won)
      on conflict (change_request_id) do update set text = excluded.text
    ),`
}

/** Two writes of a batch can change the same count, so their changes are summed up first. */
function countedPart({ table }: Names, parameter: string): string {
  return `
    counted_states as (
      insert into ${table('change_request_counts')} as c (author, project, environment, whole_project, state, total)
      select author, project, environment, "wholeProject", state, sum(added)
      from json_to_recordset(${parameter}::json) as a(n integer, author text, project text, environment text,
        "wholeProject" boolean, state text, added integer)
      where n in (select n from won)
      group by author, project, environment, "wholeProject", state having sum(added) <> 0
      on conflict (author, project, environment, whole_project, state) do update set total = c.total + excluded.total
    ),`
}

/** Held by every transaction that appends events, until its end. */
export function appendLock({ table }: Names): string {
  return `pg_advisory_xact_lock(hashtextextended('express-change-requests', '${table('events')}'::regclass::oid::bigint))`
}

/** Separates texts. It never occurs in JSON, where strings escape it. */
const separator = '\x1f'

/**
 * The parameters of the commit statement. Documents and events are passed as the JSON text that is stored. Documents and
 * summaries have a parameter of their own: parsing them would take a tenth of the time of a commit.
 */
export function parameters(
  entries: readonly Entry[],
  stored: StoredTexts,
  rare: boolean,
  counts: readonly object[],
): string[] {
  const writes: object[] = []
  const texts: string[] = []
  const events: string[] = []
  const ofEntries: number[] = []
  let ofNone = 0
  entries.forEach(({ write, settings, events: rows }, n) => {
    if (write !== undefined) {
      // Postgres arrays start at 1.
      const place = texts.length + 1
      const { document, content, ...hashes } = stored.of(write, write.expectedVersion)
      writes.push(writeColumns(n, place, write, hashes))
      texts.push(JSON.stringify(write.summary), document, content)
    }
    const winner = write === undefined && settings === undefined ? null : n
    for (const row of rows) events.push(eventText(winner, events.length, row))
    ofEntries.push(winner === null ? 0 : rows.length)
    if (winner === null) ofNone += rows.length
  })
  return [
    JSON.stringify(writes),
    `[${events.join(',')}]`,
    texts.join(separator),
    // The number of events to store: of entries without a write, then of each entry.
    `{${[ofNone, ...ofEntries]}}`,
    ...(rare ? rareParameters(entries) : []),
    ...(counts.length > 0 ? [JSON.stringify(counts)] : []),
  ]
}

function writeColumns(
  n: number,
  place: number,
  write: NonNullable<Entry['write']>,
  { documentSha256, contentSha256 }: Pick<WrittenTexts, 'documentSha256' | 'contentSha256'>,
): object {
  const { changeRequest, version, expectedVersion, subjects, removed = false } = write
  const columns = columnsOf(write)
  return {
    ...{ n, place, id: changeRequest.id, version },
    expected: expectedVersion,
    ...Object.fromEntries(columnNames.map(([name, { column }]) => [column, columns[name]])),
    document_sha256: documentSha256,
    // Absent where the content stays as it is.
    ...(contentSha256 === '' ? {} : { content_sha256: contentSha256 }),
    subjects: removed ? [] : subjects,
    ...(!removed && write.before?.searchText !== write.searchText ? { search_text: write.searchText } : {}),
    action: actionOf(write),
  }
}

/** What the write does with the stored change request; null if it removes one that was never stored. */
export function actionOf({
  removed,
  expectedVersion,
}: NonNullable<Entry['write']>): 'insert' | 'update' | 'delete' | null {
  if (removed !== true) return expectedVersion > 0 ? 'update' : 'insert'
  return expectedVersion > 0 ? 'delete' : null
}

function eventText(n: number | null, ord: number, row: EventRow): string {
  const { type, project, environment } = row
  const columns = {
    ...{ n, ord, type, project, environment },
    created_at: row.createdAt,
    feature_name: row.featureName,
    created_by_user_id: row.createdByUserId,
    created_by_kind: row.createdByKind,
    change_request_id: row.changeRequestId,
    group_type: row.groupType,
    group_id: row.groupId,
    trace: row.trace,
  }
  // The body is already JSON.
  return `${JSON.stringify(columns).slice(0, -1)},"body":${row.json}}`
}
