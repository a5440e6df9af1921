import { refuseUnknownOptions } from '../check-options'
import { ChangeRequestError } from '../errors'
import { describeValue, InvalidHookResultError } from '../kernel/hooks'
import { badData } from '../validation/core/problems'
import { isName } from '../validation/queries/names'
import type { WritePlace } from './review-required'

/** A wrong name would stand for all environments. */
const names: readonly string[] = ['project', 'environment']

/** A fault of the host: `describe` threw an error, or returned no place. Each request may meet it. */
class DescribeFault extends InvalidHookResultError {}

/** Only the log gets the details. */
export function describeFault(message: string, cause?: unknown): ChangeRequestError {
  return new ChangeRequestError('UnknownError', 'Something went wrong. Look up this id in the server log.', {
    cause: new DescribeFault(message, { cause }),
  })
}

export function isDescribeFault(error: unknown): boolean {
  return ChangeRequestError.is(error) && error.cause instanceof DescribeFault
}

/**
 * Reads where a write goes, each place once; null for nothing that needs a review. Its names may come from the caller.
 *
 * @throws UnknownError when it is no place: a fault of the host, which the log describes.
 * @throws BadDataError when a name is malformed.
 */
export function describedPlaces(answer: unknown): readonly WritePlace[] | null {
  if (answer === null) return null
  const all: readonly unknown[] = Array.isArray(answer) ? answer : [answer]
  if (all.length === 0) throw noPlace('an empty array')
  // A fault of the host comes first, whatever the names are.
  const checked = all.map(requireShape)
  const places = new Map<string, WritePlace>()
  for (const place of checked.map(requirePlace)) places.set(JSON.stringify([place.project, place.environment]), place)
  return [...places.values()]
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

function requireShape(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noPlace(describeValue(value))
  const received = Object.keys(value)
  if (received.every((name) => names.includes(name))) return value
  throw noPlace(`an object with the properties ${received.join(', ')}`)
}

function noPlace(received: string): ChangeRequestError {
  const expected = 'an object { project, environment? }, a list of these, or null for nothing to review'
  return describeFault(`describe returned ${received}; it must be ${expected}.`)
}

function requirePlace({ project, environment }: { project?: unknown; environment?: unknown }): WritePlace {
  const place = { project: requireName('project', project) }
  return environment === undefined ? place : { ...place, environment: requireName('environment', environment) }
}

function requireName(path: string, value: unknown): string {
  if (typeof value === 'string' && isName(value)) return value
  throw badData([{ path, message: 'must be a well-formed name' }])
}
