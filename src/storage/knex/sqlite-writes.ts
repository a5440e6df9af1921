import type { KeyedAnswer, SettingsWrite, Write } from '../../ports/storage'
import { answerCutoff } from '../kept-answers'
import type { Names } from './database'

/** What we use of a statement of the driver better-sqlite3. */
export interface Statement {
  run(...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  // biome-ignore lint/suspicious/noExplicitAny: what a row holds depends on the statement.
  get(...values: unknown[]): any
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  all(...values: unknown[]): any[]
  safeIntegers(asBigInt: boolean): Statement
}

type Prepare = (text: string) => Statement

/** The parts of a write beside the document itself. All run inside a transaction that holds the write lock. */
export function besideDocuments({ table }: Names) {
  const subjects = table('change_request_subjects')
  const answers = table('answers')
  const settings = table('settings')

  return {
    /** Reads first: most writes change no subject, and a read costs a third of statements that find nothing to do. */
    putSubjects(prepare: Prepare, { changeRequest: { id }, removed, subjects: list }: Write): void {
      const wanted = new Set(removed === true ? [] : list)
      const stored = prepare(`select subject from ${subjects} where change_request_id = ?`).all(id)
      const had = new Set<string>(stored.map(({ subject }) => subject))
      for (const subject of had) {
        if (wanted.has(subject)) continue
        prepare(`delete from ${subjects} where change_request_id = ? and subject = ?`).run(id, subject)
      }
      for (const subject of wanted) {
        if (had.has(subject)) continue
        prepare(`insert into ${subjects} (change_request_id, subject) values (?, ?)`).run(id, subject)
      }
    },

    /** True when one of the keys cannot be used for a new answer. */
    isKept(prepare: Prepare, fresh: readonly KeyedAnswer[]): boolean {
      const find = `select 1 from ${answers} where user_id = ? and key = ? and created_at >= ?`
      return fresh.some(
        ({ userId, key, createdAt }, index) =>
          prepare(find).get(userId, key, answerCutoff(createdAt)) !== undefined ||
          fresh.slice(0, index).some((other) => other.userId === userId && other.key === key),
      )
    },

    keep(prepare: Prepare, fresh: readonly KeyedAnswer[]): void {
      for (const { userId, key, createdAt, fingerprint, status, headers, body } of fresh) {
        prepare(
          `delete from ${answers} where rowid in (
             select rowid from ${answers} where created_at < ? order by created_at limit 100)`,
        ).run(answerCutoff(createdAt))
        prepare(
          `insert into ${answers} (user_id, key, created_at, fingerprint, status, headers, body)
           values (?, ?, ?, ?, ?, ?, ?)
           on conflict do update set created_at = excluded.created_at, fingerprint = excluded.fingerprint,
             status = excluded.status, headers = excluded.headers, body = excluded.body`,
        ).run(userId, key, createdAt, fingerprint, status, JSON.stringify(headers), body)
      }
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
