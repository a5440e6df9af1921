import { isObject, type JsonObject, objectOf } from '../../../words/json'
import type { LoggedFacts } from './event-facts'
import { type EventRows, eventRows } from './event-rows'

/** What an apply left, in words. Its policy is only in the JSON. */
export function appliedRows({ type, data }: LoggedFacts): EventRows {
  const { approvals, requirements, overwrote, policy: _, ...others } = objectOf(data)
  const facts = {
    Approvals: words(approvals, ({ by, rules }) => {
      const { username, id } = objectOf(by)
      return `${username ?? `user ${id}`}${Array.isArray(rules) && rules.length > 0 ? ` (${rules.join(', ')})` : ''}`
    }),
    Requirements: words(requirements, ({ name, given, approvals }) => `${name}, ${given} of ${approvals}`),
    Overwrote: words(overwrote, ({ feature, segment, path }) => `${path} of ${feature ?? `segment ${segment}`}`),
  }
  const given = Object.entries(facts).filter(([, text]) => text !== '')
  return eventRows({ type, preData: null, data: { ...others, ...Object.fromEntries(given) } })
}

function words(list: unknown, toWords: (one: JsonObject) => string): string {
  return Array.isArray(list) ? list.filter(isObject).map(toWords).join('; ') : ''
}
