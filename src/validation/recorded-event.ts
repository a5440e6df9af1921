import type { RecordedEvent } from '../generated/index'
import { guardBody } from './core/guard'
import type { FeatureNames } from './core/names'
import { badData, firstProblem } from './core/problems'
import { validatorOfRecordedEvent } from './core/registry'

const limits = { depth: 32, nodes: 20_000 }

/**
 * Parses an event that the host app records. Properties that are `undefined` are ignored.
 *
 * @throws BadDataError with the first problem
 */
export function parseRecordedEvent(event: unknown, featureNames?: FeatureNames): RecordedEvent {
  guardBody(event, limits, '/event')
  const problem = firstProblem(validatorOfRecordedEvent(featureNames), event, ['event'])
  if (problem) throw badData([problem])
  return Object.fromEntries(Object.entries(event as object).filter(([, value]) => value !== undefined)) as RecordedEvent
}
