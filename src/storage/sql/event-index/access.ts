import { type EventFilter, givenLists } from '../../../ports/storage/events'
import { everywhere, scopeOf } from './block-summary'
import { isIndexed, type TermGroup, type TermRange } from './terms'

/**
 * How events that match a filter are found:
 *
 * - `none`: a list is empty, so nothing matches,
 * - `log`: by cursor only, in the whole log or in one project,
 * - `direct`: by a list that the index does not have, such as the few ids or groups,
 * - `index`: by postings; events after the end of the index are read and compared.
 */
export type Access = 'none' | 'log' | 'direct' | 'index'

export function accessOf(filter: EventFilter): Access {
  const { query: _, history, ...others } = filter
  const given = Object.values(others).filter((value) => value !== undefined)
  if (given.some((value) => Array.isArray(value) && value.length === 0)) return 'none'
  if (history !== undefined && history.features.length === 0 && history.subjects.length === 0) return 'none'
  if (givenLists(filter).some(({ name }) => !isIndexed(name))) return 'direct'
  const isLog = (given.length === 0 && history === undefined) || onlyProject(filter) !== undefined
  return isLog ? 'log' : 'index'
}

/** The project of a filter that has no other condition, except perhaps a text. */
export function onlyProject({ query: _, projects, ...others }: EventFilter): string | undefined {
  const isAlone = projects?.length === 1 && Object.values(others).every((value) => value === undefined)
  return isAlone ? projects[0] : undefined
}

/** Tallies whose sum is the number of sealed events that match. */
export interface TallyQuery {
  readonly terms: readonly string[]
  readonly range?: TermRange
  readonly scopes: readonly string[]
}

/** Undefined if the number can only be found by comparing postings. */
export function tallyQueryOf(groups: readonly TermGroup[], { projects }: EventFilter): TallyQuery | undefined {
  const others = groups.filter(({ kind }) => kind !== 'project')
  const [group = groups[0], ...more] = others
  if (group === undefined || more.length > 0 || group.kind === 'request' || group.kind === 'history') return undefined
  if (group.ids !== undefined) return undefined
  const scopes = others.length === 0 || projects === undefined ? [everywhere] : [...new Set(projects)].map(scopeOf)
  return { terms: group.terms, ...(group.range && { range: group.range }), scopes }
}
