import type { WritePlace } from '../operations/change-requests/review-required'
import { describeValue, wrongAnswer } from '../operations/runtime/call-hook'
import { badData } from '../validation/core/problems'
import { isName } from '../validation/queries/names'

/**
 * Reads where a write goes; null for nothing that needs a review. Its names may come from the caller.
 *
 * @throws UnknownError when it is no place: a fault of the host, which the log describes.
 * @throws BadDataError when a name is malformed.
 */
export function describedPlace(answer: unknown): WritePlace | null {
  if (answer === null) return null
  const isObject = typeof answer === 'object' && !Array.isArray(answer)
  const names = isObject ? Object.keys(answer) : []
  if (!isObject || names.some((name) => name !== 'project' && name !== 'environment')) {
    // A wrong name would stand for all environments.
    const received = isObject ? `an object with the properties ${names.join(', ')}` : describeValue(answer)
    throw wrongAnswer('describe', received, 'an object { project, environment? }, or null for nothing to review')
  }
  return requirePlace(answer)
}

/** @throws BadDataError when a name is malformed. */
export function requirePlace({ project, environment }: { project?: unknown; environment?: unknown }): WritePlace {
  const place = { project: requireName('project', project) }
  return environment === undefined ? place : { ...place, environment: requireName('environment', environment) }
}

function requireName(path: string, value: unknown): string {
  if (typeof value === 'string' && isName(value)) return value
  throw badData([{ path, message: 'must be a well-formed name' }])
}
