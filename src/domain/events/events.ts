import type { EventType } from '../../generated/index'
import type { Author, ChangeRequest, JsonValue } from '../change-request'
import { onlyFeature } from '../content/grouping'

export interface Tag {
  readonly type: string
  readonly value: string
}

/** The `data` of an event. */
export type EventData = { readonly [key: string]: JsonValue }

/** An event before the log assigns its id. */
export interface EventDraft {
  readonly type: EventType
  readonly createdAt: string
  readonly createdBy: string
  readonly createdByUserId: number | null
  readonly environment: string | null
  readonly project: string | null
  readonly featureName: string | null
  readonly data: EventData | null
  readonly preData: EventData | null
  readonly tags: readonly Tag[]
  readonly ip: string | null
  readonly groupType: string | null
  readonly groupId: string | null
}

/** The user id of events that no user caused (contract 8.3). */
export const systemUserId = -1337

/** The author and time of a step. */
export interface Attribution {
  readonly by: {
    readonly author: Author
    /** The groups of the author, which are stored with votes. */
    readonly groups?: readonly string[]
  }
  readonly now: string
}

/**
 * An event of a change request, with the fields that all such events share (contract 8.1).
 *
 * @param facts `data` in addition to the id of the change request
 * @param featureName the flag of the event; left out: that of the change request, if it has only one
 */
export function changeRequestEvent(
  type: EventType,
  changeRequest: ChangeRequest,
  { by: { author }, now }: Attribution,
  facts: EventData = {},
  featureName: string | null = onlyFeature(changeRequest),
): EventDraft {
  return {
    type,
    createdAt: now,
    createdBy: author.signature,
    createdByUserId: author.person.id,
    environment: changeRequest.environment,
    project: changeRequest.project,
    featureName,
    data: { changeRequestId: changeRequest.id, ...facts },
    preData: null,
    tags: [],
    ip: author.ip,
    groupType: null,
    groupId: null,
  }
}
