import type { EventFilter } from '../../../ports/storage/events'
import { everywhere, scopeOf } from './block-summary'
import type { TermGroup, TermRange } from './terms'

/**
 * How the events of a filter are found:
 *
 * - `none`: a list is empty, so nothing matches,
 * - `log`: by their ids, in the whole log or in one project,
 * - `direct`: by the ids or the groups that the filter names, which are few,
 * - `index`: by postings, and beyond them by looking at each event.
 */
export type Access = 'none' | 'log' | 'direct' | 'index'

export function accessOf(filter: EventFilter): Access {
  const { text: _, history, ...others } = filter
  const given = Object.values(others).filter((value) => value !== undefined)
  if (given.some((value) => Array.isArray(value) && value.length === 0)) return 'none'
  if (history !== undefined && history.features.length === 0 && history.subjects.length === 0) return 'none'
  if (filter.ids !== undefined || filter.groupIds !== undefined) return 'direct'
  const oneProject = given.length === 1 && filter.projects?.length === 1
  return history === undefined && (given.length === 0 || oneProject) ? 'log' : 'index'
}

/** Tallies whose sum is the number of sealed events that match. */
export interface KeptCount {
  readonly terms: readonly string[]
  readonly range?: TermRange
  readonly scopes: readonly string[]
}

/** Undefined where the postings have to be compared. */
export function keptCountOf(groups: readonly TermGroup[], { projects }: EventFilter): KeptCount | undefined {
  const others = groups.filter(({ kind }) => kind !== 'project')
  const [group = groups[0], ...more] = others
  if (group === undefined || more.length > 0 || group.kind === 'request' || group.kind === 'history') return undefined
  const scopes = others.length === 0 || projects === undefined ? [everywhere] : [...new Set(projects)].map(scopeOf)
  return { terms: group.terms, ...(group.range && { range: group.range }), scopes }
}
