import type { Write } from '../../../ports/storage/change-requests'
import type { EventRow } from '../../../ports/storage/events'
import { columnsOf } from '../../../ports/storage/inspection'
import type { Outcome } from '../database/batched'
import { type Entry, type IdKind, type Names, safeInteger } from '../database/database'
import { EventCounts } from '../events/stored-counts'
import { type StoredTexts, textAssignments } from '../queries/stored-texts'
import { isInTransaction, type SqliteConnection } from './handle'
import { prepared, runOne } from './prepared'
import { relatedTables } from './writes'

/** Writes batches, inside a transaction that holds the write lock. */
export function entryWriter(names: Names, storedTexts: StoredTexts) {
  const texts = statementTexts(names)
  const related = relatedTables(names)
  const { table } = names

  function insertEvents(connection: SqliteConnection, rows: readonly EventRow[], counts: EventCounts): void {
    const [insert, events] = [prepared(connection, texts.insertEvent), table('events')]
    for (const row of rows) {
      const { lastInsertRowid } = runOne(
        insert,
        events,
        row.createdAt,
        row.type,
        row.project,
        row.environment,
        row.featureName,
        row.createdByUserId,
        row.createdByKind ?? null,
        row.changeRequestId,
        row.groupType,
        row.groupId,
        row.trace ?? null,
        row.json,
      )
      const { project, createdByUserId: creator } = row
      const day = row.createdAt.slice(0, 'yyyy-mm-dd'.length)
      const id = Number(lastInsertRowid)
      counts.add({ project, day, creator, total: 1, firstId: id, lastId: id })
    }
  }

  function allocateIds(connection: SqliteConnection, kind: IdKind, count: number): number[] {
    const last = safeInteger(prepared(connection, texts.allocateIds).get(count, kind).last)
    return Array.from({ length: count }, (_, index) => last - count + 1 + index)
  }

  const findSettings = (connection: SqliteConnection, project: string, environment: string) =>
    prepared(connection, texts.findSettings).get(project, environment)

  function put(connection: SqliteConnection, write: Write): boolean {
    const prepare = (text: string) => prepared(connection, text)
    const { changeRequest, expectedVersion, removed = false, idempotency } = write
    if (idempotency !== undefined && related.isUsed(prepare, idempotency)) return false
    const won = removed
      ? prepare(texts.remove).run(changeRequest.id, expectedVersion).changes === 1
      : putDocument(connection, write)
    if (!won) return false
    related.putSubjects(prepare, write)
    related.putCounts(prepare, write)
    related.putSearchText(prepare, write)
    if (idempotency !== undefined) related.putRecord(prepare, idempotency)
    return true
  }

  function putDocument(connection: SqliteConnection, write: Write): boolean {
    const { changeRequest, version, expectedVersion } = write
    const { id } = changeRequest
    const { project, environment, createdBy, createdAt, updatedAt, ...columns } = columnsOf(write)
    const { state, stateSince, open, afterReview, wholeProject, dueAt, scheduledAt, held, applyingSince } = columns
    const flags = [open, afterReview, wholeProject].map(Number)
    const indexed = [state, stateSince, ...flags, dueAt, scheduledAt, Number(held), applyingSince]
    const { document, documentSha256, content, contentSha256 } = storedTexts.of(write, expectedVersion)
    const unindexed = [
      updatedAt,
      version,
      JSON.stringify(write.summary),
      document,
      documentSha256,
      content,
      contentSha256,
    ]
    const changes = (text: string, ...values: unknown[]) => prepared(connection, text).run(...values).changes
    if (expectedVersion === 0) {
      return changes(texts.insert, id, project, environment, createdBy, createdAt, ...indexed, ...unindexed) === 1
    }
    const stored = [id, expectedVersion]
    const isUnindexed = write.before?.state === state && applyingSince === null
    if (isUnindexed && changes(texts.updateUnindexed, ...unindexed, ...stored, ...indexed) === 1) return true
    return changes(texts.update, ...indexed, ...unindexed, ...stored) === 1
  }

  function writeAll(connection: SqliteConnection, entries: readonly Entry[]): Outcome<boolean>[] {
    const counts = new EventCounts()
    const outcomes = entries.map(({ write, settings, events: rows }): Outcome<boolean> => {
      const won =
        (write === undefined || put(connection, write)) &&
        (settings === undefined || related.putSettings((text) => prepared(connection, text), settings))
      if (won) insertEvents(connection, rows, counts)
      return { value: won }
    })
    const [count, tally] = [prepared(connection, texts.countEvents), prepared(connection, texts.tallyEvents)]
    for (const row of counts.counts()) runOne(count, table('event_counts'), ...row)
    for (const row of counts.tallies()) runOne(tally, table('event_tallies'), ...row)
    return outcomes
  }

  /** In a transaction of the host app, which may continue after an error. The savepoint undoes partial writes. */
  function writeInHostTransaction(connection: SqliteConnection, entries: readonly Entry[]): Outcome<boolean>[] {
    connection.exec('savepoint change_requests_write')
    try {
      return writeAll(connection, entries)
    } catch (error) {
      if (isInTransaction(connection)) connection.exec('rollback to change_requests_write')
      throw error
    } finally {
      if (isInTransaction(connection)) connection.exec('release change_requests_write')
    }
  }

  return { writeAll, writeInHostTransaction, allocateIds, findSettings }
}

/** Built once: to build a text again for each statement takes longer than to find its prepared statement. */
function statementTexts({ table }: Names) {
  return {
    insertEvent: `insert into ${table('events')}
        (created_at, type, project, environment, feature_name, created_by_user_id, created_by_kind, change_request_id,
          group_type, group_id, trace, body)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    countEvents: `insert into ${table('event_counts')} (project, total, last_id) values (?, ?, ?)
      on conflict (project) do update set total = total + excluded.total, last_id = max(last_id, excluded.last_id)`,
    tallyEvents: `insert into ${table('event_tallies')} (project, term, total, first_id, last_id) values (?, ?, ?, ?, ?)
      on conflict (project, term) do update set total = total + excluded.total,
        first_id = min(first_id, excluded.first_id), last_id = max(last_id, excluded.last_id)`,
    allocateIds: `update ${table('ids')} set last = last + ? where kind = ? returning last`,
    findSettings: `select environment, enabled, required_approvals, version from ${table('settings')}
      where project = ? and environment = ?`,
    remove: `delete from ${table('change_requests')} where id = ? and version = ?`,
    // SQLite writes each index of a column that a statement sets, even to the same value. Only updated_at is always another.
    updateUnindexed: `update ${table('change_requests')} set updated_at = ?, version = ?, summary = ?, ${textAssignments}
      where id = ? and version = ? and state = ? and state_since = ? and open = ?
        and after_review = ? and whole_project = ? and due_at is ? and scheduled_at is ? and held = ?
        and applying_since is ?`,
    update: `update or ignore ${table('change_requests')} set state = ?, state_since = ?, open = ?, after_review = ?,
        whole_project = ?, due_at = ?, scheduled_at = ?, held = ?, applying_since = ?, updated_at = ?, version = ?, summary = ?,
        ${textAssignments}
      where id = ? and version = ?`,
    insert: `insert into ${table('change_requests')}
        (id, project, environment, created_by, created_at, state, state_since, open, after_review, whole_project, due_at,
          scheduled_at, held, applying_since, updated_at, version, summary, document, document_sha256, content, content_sha256)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
  }
}
