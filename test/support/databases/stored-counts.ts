import type { Knex } from 'knex'

/**
 * The stored counts of events (total, first and newest id of the instance, of projects, of days and of creators) and of change requests that
 * differ from the rows as SQL counts them. Empty if all counts are exact.
 *
 * @param shrunk the newest events were removed, so the newest id of the instance may belong to a removed event.
 */
export async function wrongCounts(knex: Knex, { tablePrefix = 'ffcr_', shrunk = false } = {}): Promise<string[]> {
  const { stored, real } = await ask(knex, tablePrefix)
  const wrong: string[] = []
  for (const key of new Set([...stored.keys(), ...real.keys()])) {
    const [is, should] = [stored.get(key) ?? nothing, real.get(key) ?? nothing]
    const higher = shrunk && key === instance && is.last_id > should.last_id
    const isSame = is.total === should.total && is.first_id === should.first_id
    if (isSame && (higher || is.last_id === should.last_id)) continue
    wrong.push(`${key}: ${JSON.stringify(is)} stored for ${JSON.stringify(should)}`)
  }
  return wrong
}

const nothing = { total: 0, last_id: 0, first_id: 0 }
const instance = JSON.stringify(['count', '', ''])

function storedText(prefix: string): string {
  return `select 'count' as kind, '' as name, project, total, last_id, 0 as first_id from "${prefix}event_counts"
    union all select 'tally', term, project, total, last_id, first_id from "${prefix}event_tallies"
    union all select 'change requests', author || ' ' || ${group}, project, total, 0, 0 from "${prefix}change_request_counts"
    where total <> 0`
}

const group = `environment || ' ' || state || case when whole_project then ' everywhere' else '' end`

function realText(prefix: string, isPostgres: boolean): string {
  const events = `"${prefix}events"`
  const day = isPostgres ? `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')` : 'substr(created_at, 1, 10)'
  const terms = `select 'day:' || ${day} as term, project, id from ${events}
    union all select 'creator:' || created_by_user_id, project, id from ${events} where created_by_user_id is not null`
  const approvals = isPostgres
    ? `json_array_elements_text((summary::json) -> 'reviewedBy') as a(value)`
    : `json_each(summary, '$.reviewedBy') as a`
  const approval = `case when cast(a.value as bigint) = created_by then 'own-reviewed:' else 'reviewed:' end || a.value`
  const counted = (author: string, more = '') =>
    `select 'change requests', ${author} || ' ' || ${group}, project, count(*), 0, 0
     from "${prefix}change_requests"${more} group by ${author} || ' ' || ${group}, project`
  return [
    `select 'count' as kind, '' as name, '' as project, count(*) as total, coalesce(max(id), 0) as last_id, 0 as first_id from ${events}`,
    `select 'count', '', project, count(*), max(id), 0 from ${events} where project is not null group by project`,
    `select 'tally', term, '', count(*), max(id), min(id) from (${terms}) as a group by term`,
    `select 'tally', term, project, count(*), max(id), min(id) from (${terms}) as b where project is not null group by term, project`,
    counted(`''`),
    counted(`cast(created_by as text)`),
    counted(approval, `, ${approvals}`),
  ].join(' union all ')
}

/** One statement, because others may write meanwhile. */
async function ask(knex: Knex, prefix: string) {
  const isPostgres = knex.client.config.client === 'pg'
  const answer = await knex.raw(
    `select 'stored' as side, k.* from (${storedText(prefix)}) as k union all select 'real', r.* from (${realText(prefix, isPostgres)}) as r`,
  )
  const found = { stored: new Map<string, typeof nothing>(), real: new Map<string, typeof nothing>() }
  for (const { side, kind, name, project, total, last_id, first_id } of answer.rows ?? answer) {
    const key = JSON.stringify([kind, name, project])
    const counts = side === 'stored' ? found.stored : found.real
    if (counts.has(key)) throw new Error(`${key} is stored twice.`)
    counts.set(key, { total: Number(total), last_id: Number(last_id), first_id: Number(first_id) })
  }
  return found
}
