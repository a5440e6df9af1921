import { checkOption, isNameList, refuseUnknownOptions } from '../../check-options'
import type { LogFilter } from '../../ports/consumers'
import type { EventFilter } from '../../ports/storage/events'

const parts: readonly string[] = ['types', 'projects', 'environments', 'features']

/** Rejects an empty list too: it would select nothing. @throws TypeError that names the function `owner` and the property */
export function checkLogFilter(owner: string, filter: LogFilter = {}): EventFilter {
  refuseUnknownOptions(`${owner}.filter`, filter, parts)
  for (const [part, values] of Object.entries(filter)) {
    checkOption(owner, `filter.${part}`, values === undefined || isNameList(values), 'a list of names')
  }
  return Object.fromEntries(Object.entries(filter).filter(([, values]) => values !== undefined))
}
