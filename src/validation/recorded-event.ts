import type { RecordedEvent } from '../generated/index'
import { changeRequestEventTypes } from '../generated/lists'
import { guardBody } from './core/guard'
import type { FeatureNames } from './core/names'
import { badData, firstProblem } from './core/problems'
import { validatorOfRecordedEvent } from './core/registry'

const limits = { depth: 32, nodes: 20_000 }
const writtenByRouter: ReadonlySet<unknown> = new Set(changeRequestEventTypes)

/**
 * Parses an event that the host app records. Events about change requests are rejected, because with them the host app could
 * forge what happened to one (contract 8.3). Properties that are `undefined` are ignored.
 *
 * @throws BadDataError with the first problem
 */
export function parseRecordedEvent(event: unknown, featureNames?: FeatureNames): RecordedEvent {
  guardBody(event, limits, '/event')
  const { type } = event as { readonly type?: unknown }
  if (writtenByRouter.has(type)) {
    const message = `${type} is written only by the router. Leave the event out, or record it with another type.`
    throw badData([{ path: '/event/type', message }])
  }
  const problem = firstProblem(validatorOfRecordedEvent(featureNames), event, ['event'])
  if (problem) throw badData([problem])
  return Object.fromEntries(Object.entries(event as object).filter(([, value]) => value !== undefined)) as RecordedEvent
}
