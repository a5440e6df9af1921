import type { RecordedEvent } from '../generated'
import { changeRequestEventTypes } from '../generated/lists'
import { guardBody } from './core/guard'
import type { FeatureNames } from './core/names'
import { badData, echo, firstProblem } from './core/problems'
import { validatorOfBody, validatorOfRecordedEvent } from './core/registry'

export function checkBody<Body>(kind: Parameters<typeof validatorOfBody>[0], body: unknown): Body {
  const problem = firstProblem(validatorOfBody(kind), body, ['body'])
  if (problem) throw badData([problem])
  return body as Body
}

/** The text without surrounding blanks. @throws BadDataError unless it then has `min` to `max` code points */
export function trimText(text: string, property: string, max: number, min = 1): string {
  const trimmed = text.trim()
  const { length } = [...trimmed]
  if (length >= min && length <= max) return trimmed
  const message = `must have ${min} to ${max} characters without surrounding blanks, got ${echo(text)}`
  throw badData([{ path: `/body/${property}`, message }])
}

/** @throws BadDataError if the text has one of the characters */
export function refuseCharacters(text: string, property: string, characters: RegExp): string {
  const [unsafe] = characters.exec(text) ?? []
  if (unsafe === undefined) return text
  const name = unsafe.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  throw badData([{ path: `/body/${property}`, message: `the character U+${name} is not allowed` }])
}

export const maxCommentLength = 10000

interface ScheduleTimeBody {
  readonly scheduledAt?: string | undefined
  readonly after?: number | undefined
  readonly minutesAfter?: number | undefined
}

/** The time in UTC; null for the moment of the approval, and with `minutesAfter`. @throws BadDataError for a contradiction */
export function parseScheduleTime({ scheduledAt, after, minutesAfter }: ScheduleTimeBody) {
  const problem = problemOfTime({ scheduledAt, after, minutesAfter })
  if (problem !== undefined) throw badData([problem])
  const hasTime = scheduledAt !== undefined && scheduledAt !== 'approval'
  return { scheduledAt: hasTime ? new Date(scheduledAt).toISOString() : null, after, minutesAfter }
}

function problemOfTime({ scheduledAt, after, minutesAfter }: ScheduleTimeBody) {
  if (minutesAfter === undefined) {
    if (scheduledAt === undefined) return { path: '/body/scheduledAt', message: 'scheduledAt is required and missing' }
    if (scheduledAt !== 'approval' || after === undefined) return undefined
    return { path: '/body/after', message: 'is only for a schedule with a time of its own, or with minutesAfter' }
  }
  if (after === undefined) return { path: '/body/minutesAfter', message: 'needs after: the change request to follow' }
  if (scheduledAt === undefined) return undefined
  return { path: '/body/minutesAfter', message: 'replaces scheduledAt: send one of them' }
}

const limits = { depth: 32, nodes: 20_000 }
const writtenByRouter: ReadonlySet<unknown> = new Set(changeRequestEventTypes)

/**
 * Parses an event that the host app records. Events about change requests are rejected, because with them the host app could
 * forge what happened to one (contract 8.3). @throws BadDataError with the first problem
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
