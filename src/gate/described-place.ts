import { refuseUnknownOptions } from '../check-options'
import type { WritePlace } from '../operations/change-requests/review-required'
import { describeValue, wrongAnswer } from '../operations/runtime/call-hook'
import { badData } from '../validation/core/problems'
import { isName } from '../validation/queries/names'

/** A wrong name would stand for all environments. */
const names: readonly string[] = ['project', 'environment']

/**
 * Reads where a write goes; null for nothing that needs a review. Its names may come from the caller.
 *
 * @throws UnknownError when it is no place: a fault of the host, which the log describes.
 * @throws BadDataError when a name is malformed.
 */
export function describedPlace(answer: unknown): WritePlace | null {
  if (answer === null) return null
  const isObject = typeof answer === 'object' && !Array.isArray(answer)
  const received = isObject ? Object.keys(answer) : []
  if (isObject && received.every((name) => names.includes(name))) return requirePlace(answer)
  throw wrongAnswer(
    'describe',
    isObject ? `an object with the properties ${received.join(', ')}` : describeValue(answer),
    'an object { project, environment? }, or null for nothing to review',
  )
}

/**
 * Reads the place that the host asks for.
 *
 * @throws TypeError when it is no place.
 * @throws BadDataError when a name is malformed.
 */
export function askedPlace(place: unknown): WritePlace {
  refuseUnknownOptions('takesChangeRequests', place, names)
  return requirePlace(place as object)
}

function requirePlace({ project, environment }: { project?: unknown; environment?: unknown }): WritePlace {
  const place = { project: requireName('project', project) }
  return environment === undefined ? place : { ...place, environment: requireName('environment', environment) }
}

function requireName(path: string, value: unknown): string {
  if (typeof value === 'string' && isName(value)) return value
  throw badData([{ path, message: 'must be a well-formed name' }])
}
