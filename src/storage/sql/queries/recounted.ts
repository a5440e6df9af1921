import type { Names } from '../database/database'

/** Sets the counts of projects to the sum of the tallies of a generation and the events after its blocks. */
export function recountedTexts({ table }: Names, generation: number, sealedTo: number): string[] {
  const [counts, events] = [table('event_counts'), table('events')]
  const tallied = (kind: string) =>
    `from ${table('event_tallies')} where generation = ${generation} and scope = '' and term > '${kind}:' and term < '${kind};'`
  const found = `select project, sum(total) as total, max(last_id) as last_id from (
      select substr(term, length('project:') + 1) as project, total, last_id ${tallied('project')}
      union all
      select project, count(*), max(id) from ${events} where id > ${sealedTo} and project <> '' group by project) as parts
    group by project`
  return [
    `delete from ${counts} where project <> '' and project not in (select project from (${found}) as found)`,
    // Only rows that differ are written.
    `insert into ${counts} as c (project, total, last_id)
     select project, total, last_id from (${found}) as found where true
     on conflict (project) do update set total = excluded.total, last_id = excluded.last_id
     where c.total <> excluded.total or c.last_id <> excluded.last_id`,
    // The newest id of the instance stays: ids continue from there even if all events were removed.
    `update ${counts} set total = (select coalesce(sum(total), 0) ${tallied('type')})
       + (select count(*) from ${events} where id > ${sealedTo}) where project = ''`,
    `update ${table('event_index')} set sealed_to = ${sealedTo}, generation = ${generation}`,
  ]
}
