/** A tally counts the events of a flag or a creator in a project; '' means no project. */
export function tallies(events: string): string {
  return `select kind, name, project, count(*) as total, max(id) as last_id from (
      select 'feature' as kind, feature_name as name, coalesce(project, '') as project, id
      from ${events} where feature_name is not null
      union all
      select 'creator', cast(created_by_user_id as text), coalesce(project, ''), id
      from ${events} where created_by_user_id is not null
    ) as one group by kind, name, project`
}

/** The events that name a change request. The index covers only these, so only these are parsed when they are written. */
export const isAboutChangeRequest = `substr(type, 1, 7) = 'change-'`

/** As text, because events of the host may have any value there. The index of the migration has the same expression. */
export const changeRequestIdOf = {
  postgres: `coalesce(body::json #>> '{data,changeRequestId}', body::json #>> '{preData,changeRequestId}')`,
  sqlite: `cast(coalesce(json_extract(body, '$.data.changeRequestId'), json_extract(body, '$.preData.changeRequestId')) as text)`,
} as const
