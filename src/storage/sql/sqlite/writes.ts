import { idempotencyCutoff } from '../../../domain/instants'
import type { Write } from '../../../ports/storage/change-requests'
import type { IdempotencyRecord } from '../../../ports/storage/idempotency'
import type { SettingsWrite } from '../../../ports/storage/settings'
import type { Names } from '../database/database'
import { countChanges } from '../queries/state-counts'
import { runOne, type Statement } from './prepared'

type Prepare = (text: string) => Statement

/** Writes the rows that belong to a document, inside a transaction that holds the write lock. */
export function relatedTables({ table }: Names) {
  const subjects = table('change_request_subjects')
  const idempotency = table('idempotency')
  const settings = table('settings')
  const counts = table('change_request_counts')
  const texts = table('change_request_texts')
  const findSubjects = `select subject from ${subjects} where change_request_id = ?`
  const addSubject = `insert into ${subjects} (change_request_id, subject) values (?, ?)`
  const putText = `insert or replace into ${texts} (change_request_id, text) values (?, ?)`

  return {
    /** Reads first: most writes change no subject, and a read costs a third of write statements that change nothing. */
    putSubjects(prepare: Prepare, { changeRequest: { id }, removed, subjects: list }: Write): void {
      const wanted = new Set(removed === true ? [] : list)
      const stored = prepare(findSubjects).all(id)
      const before = new Set<string>(stored.map(({ subject }) => subject))
      for (const subject of before) {
        if (wanted.has(subject)) continue
        prepare(`delete from ${subjects} where change_request_id = ? and subject = ?`).run(id, subject)
      }
      for (const subject of wanted) {
        if (before.has(subject)) continue
        runOne(prepare(addSubject), subjects, id, subject)
      }
    },

    putCounts(prepare: Prepare, write: Write): void {
      for (const { author, project, environment, wholeProject, state, added } of countChanges(write)) {
        const add = prepare(
          `insert into ${counts} (author, project, environment, whole_project, state, total) values (?, ?, ?, ?, ?, ?)
           on conflict do update set total = total + excluded.total`,
        )
        runOne(add, counts, author, project, environment, Number(wholeProject), state, added)
      }
    },

    putSearchText(prepare: Prepare, { changeRequest: { id }, before, removed, searchText }: Write): void {
      if (removed === true) prepare(`delete from ${texts} where change_request_id = ?`).run(id)
      else if (before?.searchText !== searchText) runOne(prepare(putText), texts, id, searchText)
    },

    /** True when the key already has a record that is not too old. */
    isUsed(prepare: Prepare, { userId, key, createdAt }: IdempotencyRecord): boolean {
      const find = `select 1 from ${idempotency} where user_id = ? and key = ? and created_at >= ?`
      return prepare(find).get(userId, key, idempotencyCutoff(createdAt)) !== undefined
    },

    putRecord(prepare: Prepare, record: IdempotencyRecord): void {
      const { userId, key, createdAt, fingerprint, project, changeRequestId, commentId } = record
      prepare(
        `delete from ${idempotency} where rowid in (
           select rowid from ${idempotency} where created_at < ? order by created_at limit 100)`,
      ).run(idempotencyCutoff(createdAt))
      const put = prepare(
        `insert into ${idempotency}
           (user_id, key, created_at, fingerprint, project, change_request_id, comment_id)
         values (?, ?, ?, ?, ?, ?, ?)
         on conflict do update set created_at = excluded.created_at, fingerprint = excluded.fingerprint,
           project = excluded.project, change_request_id = excluded.change_request_id, comment_id = excluded.comment_id`,
      )
      runOne(put, idempotency, userId, key, createdAt, fingerprint, project, changeRequestId, commentId)
    },

    putSettings(prepare: Prepare, write: SettingsWrite): boolean {
      const { project, environment, expectedVersion } = write
      const { changeRequestsEnabled, requiredApprovals } = write.settings
      const values = [Number(changeRequestsEnabled), requiredApprovals, project, environment]
      const statement =
        expectedVersion > 0
          ? prepare(
              `update ${settings} set enabled = ?, required_approvals = ?, version = version + 1
               where project = ? and environment = ? and version = ?`,
            )
          : prepare(
              `insert into ${settings} (enabled, required_approvals, project, environment, version)
               values (?, ?, ?, ?, ? + 1) on conflict do nothing`,
            )
      return statement.run(...values, expectedVersion).changes === 1
    },
  }
}
