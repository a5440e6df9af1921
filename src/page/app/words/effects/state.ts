import { reachedPercent, reachesEverybody } from '../../../../domain/content/reach'
import type { SegmentNames } from '../fields/labels'
import { type JsonObject, objectOf } from '../json'
import { counted } from '../numbers'
import { strong, textOf, type Words } from '../spans'
import { reachWords, strategyWords } from './effects'

/** How a flag is in an environment: `off`, `on, 65 % of everybody`. */
export function stateWords(state: JsonObject, names?: SegmentNames): Words {
  if (state.archived === true) return [strong('archived')]
  if (state.enabled !== true) return [strong('off')]
  if (!Array.isArray(state.strategies)) return [strong('on')]
  const active = state.strategies.filter((one) => objectOf(one).disabled !== true)
  const [only] = active
  // A flag that is on without an active strategy is for everybody.
  if (only === undefined || active.some((one) => reachesEverybody(one) === true))
    return [strong('on'), ' for everybody']
  if (active.length > 1) return [strong('on'), `, ${counted(active.length, 'strategy', 'strategies')}`]
  const whom = reachedPercent(only) === null ? textOf(strategyWords(only, names)) : reachWords(only, names)
  return [strong('on'), `, ${whom}`]
}
