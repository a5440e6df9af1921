import { isObject, type JsonObject, objectOf } from '../../../words/json'
import type { LoggedFacts } from './event-facts'
import { type EventRows, eventRows } from './event-rows'

/** The rows of change-request-applied: what the apply left, in words. Its policy is only in the JSON. */
export function appliedRows({ type, data }: LoggedFacts): EventRows {
  const { approvals, requirements, overwrote, settled, recordOnly, policy: _, ...others } = objectOf(data)
  const facts = {
    Approvals: words(approvals, ({ by, rules }) => {
      const { username, id } = objectOf(by)
      const names = Array.isArray(rules) && rules.length > 0 ? ` (${rules.join(', ')})` : ''
      return `${username ?? `user ${id}`}${names}`
    }),
    Requirements: words(requirements, ({ name, given, approvals }) => `${name}, ${given} of ${approvals}`),
    Overwrote: words(overwrote, ({ feature, segment, path }) => `${path} of ${feature ?? `segment ${segment}`}`),
    'Settled by': settled,
    'Only recorded': recordOnly,
  }
  const given = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '')
  return eventRows({ type, preData: null, data: { ...others, ...Object.fromEntries(given) } })
}

function words(list: unknown, toWords: (one: JsonObject) => string): string {
  return Array.isArray(list) ? list.filter(isObject).map(toWords).join('; ') : ''
}
