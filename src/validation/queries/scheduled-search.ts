import type { ScheduledQuery } from '../../domain/schedule/scheduled-query'
import { describeParameters, readParameters, texts } from './query-parameter'
import type { QueryReader } from './query-reader'

const table = {
  feature: texts('A flag with any change. May stand more than once.'),
  strategyId: texts('A strategy that is changed or deleted. May stand more than once.'),
  variantForFlag: texts('A flag whose variants change. May stand more than once.'),
}

export const scheduledSearchParameters = describeParameters(table)

/** Reads the query of the list of scheduled change requests. @throws BadDataError for a NUL character */
export function parseScheduledSearch(query: QueryReader): ScheduledQuery {
  const { feature, strategyId, variantForFlag } = readParameters(table, query)
  return { features: feature, strategyIds: strategyId, variantsOf: variantForFlag }
}
