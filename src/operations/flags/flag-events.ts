import type { ChangeRequest } from '../../domain/change-request'
import type { Occasion } from '../../domain/decision'
import type { EventDraft } from '../../domain/events/events'
import type { FlagState } from '../../domain/flags/flag-state'
import { ChangeRequestError } from '../../errors'
import type { FlagEvent } from '../../ports/flags'
import { tellsSomething, toEventDraft } from '../events/record-events'
import type { Services } from '../runtime/services'
import { ulid } from '../runtime/ulid'

/** What an application did, for the log; all flag events of it belong to one group (contract 6.4). */
export function toFlagEventDrafts(
  services: Pick<Services, 'parseEvent' | 'clock'>,
  { project, environment }: ChangeRequest,
  { by, now }: Occasion,
  events: readonly FlagEvent[],
  before: FlagState | undefined,
): EventDraft[] {
  const groupId = ulid(services.clock())
  const { signature, person, ip } = by.author
  const drafts = events.map((event) => {
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
    return toEventDraft(parseFlagEvent(services, filled), now)
  })
  return drafts.filter(tellsSomething)
}

/** What the gateway reports is the host's: no fault of the caller if it is no event. */
function parseFlagEvent({ parseEvent }: Pick<Services, 'parseEvent'>, event: unknown) {
  try {
    return parseEvent(event)
  } catch (error) {
    throw new ChangeRequestError('UnknownError', 'The flag gateway reported something that is no event.', {
      cause: error,
    })
  }
}
