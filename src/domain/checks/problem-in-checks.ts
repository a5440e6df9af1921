import { isText, problemInKeys, problemInNamed, problemInSources, problemInWhen } from '../approval/check-rules'
import type { Check } from './check'

const checkKeys: { readonly [key in keyof Required<Check>]: true } = {
  name: true,
  description: true,
  when: true,
  required: true,
  from: true,
  byAuthor: true,
}

const maxChecks = 20
const maxDescription = 200
const checkName = /^[a-z0-9-]{1,50}$/

/** @returns the rest of a sentence about the option or the result of the function */
export function problemInChecks(checks: unknown, options: { readonly hasFlags: boolean }): string | undefined {
  if (Array.isArray(checks) && checks.length > maxChecks) return `must have at most ${maxChecks} checks`
  return problemInNamed('check', checks, [], (check) => {
    const { name, description, when, required, from, byAuthor } = check
    const unknown = problemInKeys(check, checkKeys)
    if (unknown !== undefined) return unknown
    if (!checkName.test(name as string)) return 'name must have 1 to 50 characters a-z, 0-9 and -'
    if (description !== undefined && !(isText(description) && (description as string).length <= maxDescription)) {
      return `description must be a text of at most ${maxDescription} characters`
    }
    if (required !== undefined && typeof required !== 'boolean') return 'required must be a boolean'
    if (byAuthor !== undefined && typeof byAuthor !== 'boolean') return 'byAuthor must be a boolean'
    return problemInWhen(when, options) ?? problemInSources(from)
  })
}
