import { checkOption, isNameList, refuseUnknownOptions } from '../../check-options'
import type { LogFilter } from '../../ports/consumers'
import type { EventFilter } from '../../ports/storage/events'

const parts: readonly string[] = ['types', 'projects', 'environments', 'features']

/**
 * Checks a filter of the host app. An empty list is rejected, because it would select nothing.
 *
 * @param owner the function that received it
 * @throws TypeError that names the function and the property
 */
export function checkLogFilter(owner: string, filter: LogFilter = {}): EventFilter {
  refuseUnknownOptions(`${owner}.filter`, filter, parts)
  for (const [part, values] of Object.entries(filter)) {
    checkOption(owner, `filter.${part}`, values === undefined || isNameList(values), 'a list of names')
  }
  return Object.fromEntries(Object.entries(filter).filter(([, values]) => values !== undefined))
}
