import type { ChangeRequestFilter } from '../../../ports/storage/change-requests'

export type Bound = string | number | null | readonly string[]

/** A part of a statement with its values, in the order of their `?`. */
export interface Part {
  readonly text: string
  readonly values: readonly Bound[]
}

/**
 * The condition of the filter, with a `?` for each value.
 *
 * @param project the column `project`, where several projects are compared.
 */
export function condition(
  filter: ChangeRequestFilter,
  subjectTable: string,
  among: (column: string) => string,
  project = 'project',
) {
  const conditions: string[] = []
  const values: Bound[] = []
  function must(text: string, ...bound: Bound[]): void {
    conditions.push(text)
    values.push(...bound)
  }
  const { projects, states, createdBy, subjects, afterReview, viewer } = filter
  // `isVisible` of the domain in SQL.
  const drafts = states === undefined || states.includes('Draft')
  if (drafts && viewer === null) must(`state <> 'Draft'`)
  else if (drafts) must(`(state <> 'Draft' or created_by = ?)`, viewer)
  // Subjects find few rows, but without statistics both planners would rather read all rows of the project, of the state or of
  // the author. An expression has no index, so it is compared only in the rows that the subjects find.
  const compared = (column: string, nothing: string) => (subjects === undefined ? column : `${column} ${nothing}`)
  // With one project an index gives the order of the list.
  if (projects?.length === 1) must(`${compared('project', "|| ''")} = ?`, projects[0] as string)
  else if (projects !== undefined)
    must(among(compared(subjects === undefined ? project : 'project', "|| ''")), projects)
  // A list of values, not an array: SQLite then reads the index of groups in its order.
  if (states !== undefined)
    must(states.length === 0 ? 'false' : `${compared('state', "|| ''")} in (${states.map(() => '?')})`, ...states)
  if (createdBy !== undefined) must(`${compared('created_by', '+ 0')} = ?`, createdBy)
  if (subjects !== undefined) {
    const [subject, ...others] = subjects
    const ids = `select change_request_id from ${subjectTable} where`
    if (subject !== undefined && others.length === 0) must(`id in (${ids} subject = ?)`, subject)
    else must(`id in (${ids} ${among('subject')})`, subjects)
  }
  // Must be the expression in the condition of the index.
  if (afterReview) must('after_review')
  return { text: conditions.join(' and ') || 'true', values }
}

/** Selects the distinct values of an indexed column as `found`, with one index lookup each instead of a scan. Ends with null. */
export function distinct(from: string, column: string, scope?: string): string {
  const next = (after?: string) => {
    const conditions = [scope, after].filter((text) => text !== undefined)
    return `select min(${column}) from ${from}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`
  }
  return `with recursive found(value) as (
    ${next()}
    union all
    select (${next(`${column} > found.value`)}) from found where found.value is not null
  )`
}
