import type { Knex } from 'knex'

/**
 * The stored counts of events (total and newest id of the instance, of projects and of index terms) and of change requests that
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
    if (is.total === should.total && (higher || is.last_id === should.last_id)) continue
    wrong.push(`${key}: ${JSON.stringify(is)} stored for ${JSON.stringify(should)}`)
  }
  return wrong
}

const nothing = { total: 0, last_id: 0 }
const instance = JSON.stringify(['count', '', ''])

function storedText(prefix: string): string {
  return `select 'count' as kind, '' as name, project, total, last_id from "${prefix}event_counts"
    union all select 'tally', t.term, t.scope, t.total, t.last_id from "${prefix}event_tallies" as t
    join "${prefix}event_index" as i on i.generation = t.generation where t.term not like 'day:%'
    union all select 'change requests', author || ' ' || ${group}, project, total, 0 from "${prefix}change_request_counts"
    where total <> 0`
}

const group = `environment || ' ' || state || case when whole_project then ' everywhere' else '' end`

/** Tallies count indexed events only. */
function realText(prefix: string, isPostgres: boolean): string {
  const events = `"${prefix}events"`
  const indexed = `${events} where id <= (select sealed_to from "${prefix}event_index")`
  const columns = ['type', 'project', 'environment', 'feature_name', 'created_by_user_id']
  const terms = columns.map(
    (column) =>
      `select '${termOf[column] ?? column}:' || ${column} as term, project, id from ${indexed} and ${column} is not null`,
  )
  const tallied = `select * from (${terms.join(' union all ')}) as terms`
  const approvals = isPostgres
    ? `json_array_elements_text((summary::json) -> 'reviewedBy') as a(value)`
    : `json_each(summary, '$.reviewedBy') as a`
  const approval = `case when cast(a.value as bigint) = created_by then 'own-reviewed:' else 'reviewed:' end || a.value`
  const counted = (author: string, more = '') =>
    `select 'change requests', ${author} || ' ' || ${group}, project, count(*), 0
     from "${prefix}change_requests"${more} group by ${author} || ' ' || ${group}, project`
  return [
    `select 'count' as kind, '' as name, '' as project, count(*) as total, coalesce(max(id), 0) as last_id from ${events}`,
    `select 'count', '', project, count(*), max(id) from ${events} where project is not null group by project`,
    `select 'tally', term, '', count(*), max(id) from (${tallied}) as a group by term`,
    `select 'tally', term, '/' || coalesce(project, ''), count(*), max(id) from (${tallied}) as b group by term, project`,
    counted(`''`),
    counted(`cast(created_by as text)`),
    counted(approval, `, ${approvals}`),
  ].join(' union all ')
}

const termOf: Readonly<Record<string, string>> = { feature_name: 'feature', created_by_user_id: 'creator' }

/** One statement, because the index of events grows in the background. */
async function ask(knex: Knex, prefix: string) {
  const isPostgres = knex.client.config.client === 'pg'
  const answer = await knex.raw(
    `select 'stored' as side, k.* from (${storedText(prefix)}) as k union all select 'real', r.* from (${realText(prefix, isPostgres)}) as r`,
  )
  const found = { stored: new Map<string, typeof nothing>(), real: new Map<string, typeof nothing>() }
  for (const { side, kind, name, project, total, last_id } of answer.rows ?? answer) {
    const key = JSON.stringify([kind, name, project])
    const counts = side === 'stored' ? found.stored : found.real
    if (counts.has(key)) throw new Error(`${key} is stored twice.`)
    counts.set(key, { total: Number(total), last_id: Number(last_id) })
  }
  return found
}
