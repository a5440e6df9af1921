import { answerCutoff } from '../kept-answers'
import type { Entry, Names } from './database'

/** Parts of the commit statement that few commits need. */
export interface RareParts {
  /** Removals and settings, beside the other writes. */
  readonly writes: string
  /** Their share of `won`. */
  readonly won: string
  /** The answers of those that won. */
  readonly answers: string
}

export function isRare({ write, settings }: Entry): boolean {
  return settings !== undefined || write?.removed === true || (write?.answers?.length ?? 0) > 0
}

/** The name of the constraint that refuses a second answer for a key. */
export function answersKey({ index }: Names): string {
  return index('answers_key').slice(1, -1)
}

/**
 * An answer is inserted after its write has won, and no `on conflict` saves it: where another answer is kept, the
 * primary key refuses the whole statement, which undoes the write as well. Asking for the key before the write would not
 * do: the statement sees what was committed before it got the lock, the primary key sees everything.
 */
export function rareParts({ table }: Names): RareParts {
  return {
    writes: `
    deleted as (
      delete from ${table('change_requests')} as c
      using write w where w.removed and w.expected > 0 and c.id = w.id and c.version = w.expected
      returning w.n
    ),
    setting as materialized (
      select w.* from turn, json_to_recordset($3::json) as w(n integer, project text, environment text,
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
    won: `union all select n from deleted
      union all select n from set_again
      union all
      select min(w.n) from setting w join set_first using (project, environment)
      where w.expected = 0 group by project, environment`,
    answers: `
    answer as materialized (
      select a.* from won join json_to_recordset($4::json) as a(n integer, user_id bigint, key text,
        created_at timestamptz, cutoff timestamptz, fingerprint text, status integer, headers text, body text) using (n)
    ),
    expired as (
      delete from ${table('answers')} where (user_id, key) in (
        select k.user_id, k.key
        from ${table('answers')} k join answer a on a.user_id = k.user_id and a.key = k.key and k.created_at < a.cutoff
        union
        (select user_id, key from ${table('answers')} where created_at < (select min(cutoff) from answer)
          order by created_at limit 100)
      )
      returning user_id
    ),
    kept as (
      insert into ${table('answers')} (user_id, key, created_at, fingerprint, status, headers, body)
      select user_id, key, created_at, fingerprint, status, headers, body
      from answer where (select count(*) from expired) >= 0
    ),`,
  }
}

export function rareParameters(entries: readonly Entry[]): [string, string] {
  const settings = entries.flatMap(({ settings }, n) => {
    if (settings === undefined) return []
    const { project, environment, expectedVersion: expected } = settings
    const { changeRequestsEnabled: enabled, requiredApprovals: required_approvals } = settings.settings
    return { n, project, environment, enabled, required_approvals, expected }
  })
  const answers = entries.flatMap(({ write }, n) =>
    (write?.answers ?? []).map(({ userId, key, createdAt, fingerprint, status, headers, body }) => ({
      n,
      user_id: userId,
      key,
      created_at: createdAt,
      cutoff: answerCutoff(createdAt),
      fingerprint,
      status,
      headers: JSON.stringify(headers),
      body,
    })),
  )
  return [JSON.stringify(settings), JSON.stringify(answers)]
}
