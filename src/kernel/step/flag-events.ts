import { randomBytes } from 'node:crypto'
import type { ChangeRequest } from '../../domain/change-request'
import { type ApplyCommand, completeApply } from '../../domain/decisions/apply'
import type { Decision } from '../../domain/decisions/decision'
import type { Created } from '../../domain/diff/snapshots'
import { type Attribution, createdByKind, type EventDraft } from '../../domain/events/events'
import type { FlagState } from '../../domain/flag-state'
import { ChangeRequestError } from '../../errors'
import type { FlagEvent } from '../../ports/flags'
import { InvalidHookResultError } from '../host/hooks'
import { hasDifference, toEventDraft } from '../log/record-events'
import type { Services } from '../services'

/** However it was committed, it becomes Applied, with the events that the gateway returned. */
export function finish(
  services: Pick<Services, 'parseEvent' | 'clock'>,
  changeRequest: ChangeRequest,
  command: ApplyCommand,
  events: readonly FlagEvent[],
  before: FlagState | undefined,
): Decision {
  const drafts = toFlagEventDrafts(services, changeRequest, command, events, before)
  return completeApply(changeRequest, command, drafts, before, createdBy(events))
}

export function toFlagEventDrafts(
  services: Pick<Services, 'parseEvent' | 'clock'>,
  { project, environment }: ChangeRequest,
  { by, now }: Attribution,
  events: readonly FlagEvent[],
  before: FlagState | undefined,
): EventDraft[] {
  const groupId = ulid(services.clock())
  const { signature, person, ip } = by.author
  const drafts = events.map(({ changeId: _, ...event }, index) => {
    const feature = event.featureName == null ? undefined : before?.features.get(event.featureName)
    const filled = {
      createdBy: signature,
      createdByUserId: person.id,
      project,
      environment,
      ip,
      ...(feature?.tags === undefined ? {} : { tags: feature.tags }),
      ...event,
      groupType: 'change-request',
      groupId,
    }
    const draft = toEventDraft(parseFlagEvent(services, filled, index), now)
    return draft.createdByUserId === person.id ? { ...draft, ...createdByKind(person) } : draft
  })
  return drafts.filter(hasDifference)
}

const adding: ReadonlySet<string> = new Set(['feature-strategy-add', 'release-plan-added'])

/** The ids of what was added, for events with the id of a change. */
export function createdBy(events: readonly FlagEvent[]): Created[] {
  return events.flatMap(({ type, changeId, featureName, data }) => {
    const id = (data as { readonly id?: unknown } | null | undefined)?.id
    const isReported = adding.has(type) && changeId !== undefined && featureName != null && typeof id === 'string'
    return isReported ? [{ changeId, feature: featureName, id }] : []
  })
}

/** A malformed event of the gateway is a fault of the host app, not of the caller. */
function parseFlagEvent({ parseEvent }: Pick<Services, 'parseEvent'>, event: unknown, index: number) {
  try {
    return parseEvent(event)
  } catch (error) {
    const cause = new InvalidHookResultError(`Event ${index} of the flag gateway is invalid: ${problemsIn(error)}`)
    throw new ChangeRequestError('UnknownError', 'The flag gateway returned an invalid event.', { cause })
  }
}

/** One line, because loggers truncate nested objects. It ends with the value that was received. */
function problemsIn(error: unknown): string {
  if (!ChangeRequestError.is(error)) return String(error)
  const text = error.details.map(({ path, message }) => `${path}: ${message}`).join('; ')
  // A sentence about a type lists all 179 of them.
  return text.length > 300 ? `${text.slice(0, 150)} ... ${text.slice(-150)}` : text
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID: 10 characters of time in milliseconds, 16 random characters. */
export function ulid(now: Date): string {
  let time = now.getTime()
  let text = ''
  for (let index = 0; index < 10; index += 1) {
    text = alphabet.charAt(time % 32) + text
    time = Math.floor(time / 32)
  }
  for (const byte of randomBytes(16)) text += alphabet.charAt(byte % 32)
  return text
}
