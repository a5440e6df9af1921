import type { Knex } from 'knex'

/**
 * Where what is kept about events (totals and newest ids of instance, projects, flags and creators) is not what the
 * events say, counted by SQL. Empty when all is exact.
 *
 * @param shrunk the newest events were removed, so the newest id of the instance may be one that is gone.
 */
export async function wrongCounts(knex: Knex, { tablePrefix = 'ffcr_', shrunk = false } = {}): Promise<string[]> {
  const [kept, real] = [await ask(knex, keptText(tablePrefix)), await ask(knex, realText(tablePrefix))]
  const wrong: string[] = []
  for (const key of new Set([...kept.keys(), ...real.keys()])) {
    const [is, should] = [kept.get(key) ?? nothing, real.get(key) ?? nothing]
    const higher = shrunk && key === instance && is.last_id > should.last_id
    if (is.total === should.total && (higher || is.last_id === should.last_id)) continue
    wrong.push(`${key}: ${JSON.stringify(is)} is kept of ${JSON.stringify(should)}`)
  }
  return wrong
}

const nothing = { total: 0, last_id: 0 }
const instance = JSON.stringify(['count', '', ''])

function keptText(prefix: string): string {
  return `select 'count' as kind, '' as name, project, total, last_id from "${prefix}event_counts"
    union all select kind, name, project, total, last_id from "${prefix}event_tallies"`
}

function realText(prefix: string): string {
  const by = (kind: string, name: string, group: string, where: string) =>
    `select '${kind}' as kind, ${name} as name, coalesce(project, '') as project, count(*) as total, max(id) as last_id
     from "${prefix}events" where ${where} group by ${group}`
  return [
    `select 'count' as kind, '' as name, '' as project, count(*) as total, coalesce(max(id), 0) as last_id
     from "${prefix}events"`,
    by('count', `''`, 'project', 'project is not null'),
    by('feature', 'feature_name', 'feature_name, project', 'feature_name is not null'),
    by('creator', 'cast(created_by_user_id as text)', 'created_by_user_id, project', 'created_by_user_id is not null'),
  ].join(' union all ')
}

async function ask(knex: Knex, text: string) {
  const answer = await knex.raw(text)
  const found = new Map<string, typeof nothing>()
  for (const { kind, name, project, total, last_id } of answer.rows ?? answer) {
    const key = JSON.stringify([kind, name, project])
    if (found.has(key)) throw new Error(`${key} is kept twice.`)
    found.set(key, { total: Number(total), last_id: Number(last_id) })
  }
  return found
}
