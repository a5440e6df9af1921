import { idempotencyCutoff } from '../../../domain/instants'
import type { Entry, Names } from '../database/database'

export interface RareParts {
  readonly writes: string
  /** Selects the entries that won here. */
  readonly won: readonly string[]
  /** Writes the idempotency records of the entries that won. */
  readonly record: string
  /** The number of those that were not stored. */
  readonly unrecorded: string
}

export function isRare({ write, settings }: Entry): boolean {
  return settings !== undefined || write?.removed === true || write?.idempotency !== undefined
}

/** The name of the constraint that rejects a second record for a key. */
export function idempotencyKey({ index }: Names): string {
  return index('idempotency_key').slice(1, -1)
}

/**
 * A record is inserted after its write has won, without `on conflict`: if the key is in use already, the primary key rejects
 * the whole statement, which undoes the write as well. Looking up the key before the write is not enough: the statement does
 * not see what was committed while it waited for the lock, but the primary key does.
 */
export function rareParts({ table }: Names): RareParts {
  return {
    writes: `
    deleted as (
      delete from ${table('change_requests')} as c
      using write w where w.action = 'delete' and c.id = w.id and c.version = w.expected
      returning w.n, w.id
    ),
    unsearched as (
      delete from ${table('change_request_texts')} as t using deleted as d where t.change_request_id = d.id
    ),
    setting as materialized (
      select w.* from append_lock, json_to_recordset($5::json) as w(n integer, project text, environment text,
        enabled boolean, required_approvals integer, expected integer)
    ),
    set_again as (
      update ${table('settings')} as s
      set enabled = w.enabled, required_approvals = w.required_approvals, version = s.version + 1
      from setting w
      where w.expected > 0 and s.project = w.project and s.environment = w.environment and s.version = w.expected
      returning w.n
    ),
    set_first as (
      insert into ${table('settings')} (project, environment, enabled, required_approvals, version)
      select project, environment, enabled, required_approvals, 1 from setting where expected = 0 order by n
      on conflict do nothing
      returning project, environment
    ),`,
    won: [
      'select n from deleted',
      'select n from set_again',
      `select min(w.n) from setting w join set_first using (project, environment)
      where w.expected = 0 group by project, environment`,
    ],
    record: `
    record as materialized (
      select r.* from won join json_to_recordset($6::json) as r(n integer, user_id bigint, key text,
        created_at timestamptz, cutoff timestamptz, fingerprint text, project text, change_request_id bigint,
        comment_id bigint) using (n)
    ),
    expired as (
      delete from ${table('idempotency')} where (user_id, key) in (
        select k.user_id, k.key
        from ${table('idempotency')} k join record r on r.user_id = k.user_id and r.key = k.key and k.created_at < r.cutoff
        union
        (select user_id, key from ${table('idempotency')} where created_at < (select min(cutoff) from record)
          order by created_at limit 100)
      )
      returning user_id
    ),
    recorded as (
      insert into ${table('idempotency')}
        (user_id, key, created_at, fingerprint, project, change_request_id, comment_id)
      select user_id, key, created_at, fingerprint, project, change_request_id, comment_id
      from record where (select count(*) from expired) >= 0
      returning user_id
    ),`,
    unrecorded: '(select count(*) from record) - (select count(*) from recorded)',
  }
}

export function rareParameters(entries: readonly Entry[]): [string, string] {
  const settings = entries.flatMap(({ settings }, n) => {
    if (settings === undefined) return []
    const { project, environment, expectedVersion: expected } = settings
    const { changeRequestsEnabled: enabled, requiredApprovals: required_approvals } = settings.settings
    return { n, project, environment, enabled, required_approvals, expected }
  })
  const records = entries.flatMap(({ write }, n) => {
    if (write?.idempotency === undefined) return []
    const { key, fingerprint, project, userId: user_id, createdAt: created_at } = write.idempotency
    const { changeRequestId: change_request_id, commentId: comment_id } = write.idempotency
    const cutoff = idempotencyCutoff(created_at)
    return { n, user_id, key, created_at, cutoff, fingerprint, project, change_request_id, comment_id }
  })
  return [JSON.stringify(settings), JSON.stringify(records)]
}
