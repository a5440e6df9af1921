import {
  conditions,
  isText,
  problemInKeys,
  problemInMode,
  problemInNamed,
  problemInPart,
} from '../rules/check-condition'
import type { Freeze } from './freeze'

const { projects, environments, features, segments } = conditions
const freezeConditions = { projects, environments, features, segments }

const freezeKeys: { readonly [key in keyof Required<Freeze>]: true } = {
  name: true,
  reason: true,
  from: true,
  until: true,
  when: true,
  scheduled: true,
  mode: true,
}

export function problemInFreezes(freezes: unknown): string | undefined {
  return problemInNamed('freeze', freezes, [], problemIn)
}

function problemIn(freeze: Readonly<Record<string, unknown>>): string | undefined {
  const { reason, from, until, when, scheduled = 'hold', mode } = freeze
  const unknown = problemInKeys(freeze, freezeKeys)
  if (unknown !== undefined) return unknown
  if (!isText(reason)) return 'reason must be a text'
  const [start, end] = [instantOf(from), until === undefined ? Infinity : instantOf(until)]
  const expected = 'a date and time with Z or an offset, such as "2026-11-27T00:00:00Z"'
  if (start === undefined) return `from must be ${expected}`
  if (end === undefined) return `until must be ${expected}`
  if (end <= start) return 'until must be after from'
  if (scheduled !== 'hold' && scheduled !== 'suspend') return 'scheduled must be "hold" or "suspend"'
  return problemInMode(mode) ?? problemInPart('when', when, freezeConditions)
}

const time = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/** Undefined for what is no time, or has no offset. Without an offset it would depend on the zone of the process. */
function instantOf(value: unknown): number | undefined {
  const [, day] = (typeof value === 'string' && time.exec(value)) || []
  if (day === undefined) return undefined
  const [midnight, instant] = [Date.parse(`${day}T00:00:00Z`), Date.parse(value as string)]
  // `Date.parse` reads February 30 as March 2.
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
  return exists && !Number.isNaN(instant) ? instant : undefined
}
