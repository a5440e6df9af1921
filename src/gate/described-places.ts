import { refuseUnknownOptions } from '../check-options'
import { ChangeRequestError } from '../errors'
import { describeValue, InvalidHookResultError } from '../kernel/host/hooks'
import { isName, placeNames } from '../validation/core/names'
import { badData, problemOfName } from '../validation/core/problems'
import type { WritePlace } from './review-required'

/** Unknown properties are rejected, because a place with a misspelt `environment` would mean all environments. */
const names: readonly string[] = ['project', 'environment']

/** A fault of the host app: `describe` threw an error or returned an invalid place. It can affect every request. */
class DescribeFault extends InvalidHookResultError {}

/** The details go only to the log. */
export function describeFault(message: string, cause?: unknown): ChangeRequestError {
  return new ChangeRequestError('UnknownError', 'Something went wrong. Look up this id in the server log.', {
    cause: new DescribeFault(message, { cause }),
  })
}

export function isDescribeFault(error: unknown): boolean {
  return ChangeRequestError.is(error) && error.cause instanceof DescribeFault
}

/** Without duplicates; null: nothing needs a review. @throws UnknownError for an invalid result */
export function describedPlaces(answer: unknown): readonly WritePlace[] | null {
  if (answer === null) return null
  const all: readonly unknown[] = Array.isArray(answer) ? answer : [answer]
  if (all.length === 0) throw noPlace('an empty array')
  // Faults of the host app are reported before malformed names.
  const checked = all.map(requireShape)
  const places = new Map<string, WritePlace>()
  for (const place of checked.map(requirePlace)) places.set(JSON.stringify([place.project, place.environment]), place)
  return [...places.values()]
}

/** The argument of `takesChangeRequests`. @throws TypeError, and BadDataError for a malformed name */
export function parsePlaceArgument(place: unknown): WritePlace {
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
  return describeFault(`describe returned ${received}; it must return ${expected}.`)
}

function requirePlace({ project, environment }: { project?: unknown; environment?: unknown }): WritePlace {
  const place = { project: requireName('project', project) }
  return environment === undefined ? place : { ...place, environment: requireName('environment', environment) }
}

function requireName(path: string, value: unknown): string {
  if (typeof value === 'string' && isName(placeNames, value)) return value
  throw badData([{ path, message: problemOfName(placeNames, value) }])
}
