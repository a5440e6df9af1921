import type { EventType } from '../../generated'
import { segmentId } from '../actions/table'
import type { Author, Change, ChangeRequest, JsonValue, Machine, MachineKind } from '../change-request'
import { onlyFeature } from '../content/grouping'

export type EventData = { readonly [key: string]: JsonValue }

export interface EventDraft {
  readonly type: EventType
  readonly createdAt: string
  readonly createdBy: string
  readonly createdByUserId: number | null
  /** The kind of the machine that caused it; absent for a person. */
  readonly createdByKind?: MachineKind
  readonly environment: string | null
  readonly project: string | null
  readonly featureName: string | null
  readonly data: EventData | null
  readonly preData: EventData | null
  readonly tags: readonly { readonly type: string; readonly value: string }[]
  readonly ip: string | null
  readonly groupType: string | null
  readonly groupId: string | null
  /** The `traceparent` of the step that wrote it; only with the option `telemetry`, and never part of the event. */
  readonly trace?: string
}

/** The user id of events that no user caused (contract 8.3). */
export const systemUserId = -1337

export interface Attribution {
  readonly by: {
    readonly author: Author
    readonly groups?: readonly string[]
  }
  readonly now: string
}

/**
 * An event of a change request, with the fields that all such events share (contract 8.1).
 *
 * @param facts `data` in addition to the id of the change request
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
    ...createdByKind(author.person),
    environment: changeRequest.environment,
    project: changeRequest.project,
    featureName,
    data: { changeRequestId: changeRequest.id, ...facts, ...actorOf(author.person) },
    preData: null,
    tags: [],
    ip: author.ip,
    groupType: null,
    groupId: null,
  }
}

/** The machine that acted, in the data of an event; nothing for a person (contract 23). */
export function actorOf({ kind, onBehalfOf }: Machine): EventData {
  return kind === undefined ? {} : { actor: { kind, ...(onBehalfOf && { onBehalfOf: { ...onBehalfOf } }) } }
}

/** What the log keeps about its creator; nothing for a person. */
export function createdByKind({ kind }: Machine): Pick<EventDraft, 'createdByKind'> {
  return kind === undefined ? {} : { createdByKind: kind }
}

/** `data` has the requested approvers as they are now, `preData` those before. */
export function approversEvent(
  changeRequest: ChangeRequest,
  attribution: Attribution,
  before: readonly number[],
): EventDraft {
  const data = { reviewers: [...changeRequest.requestedApprovers] }
  const event = changeRequestEvent('change-request-requested-approvers-updated', changeRequest, attribution, data)
  return { ...event, preData: { changeRequestId: changeRequest.id, reviewers: [...before] } }
}

/** An event about one change: `data` is the change as it is now, `preData` the change before. */
export function changeEvent(
  type: 'change-added' | 'change-edited' | 'change-discarded',
  changeRequest: ChangeRequest,
  attribution: Attribution,
  change: Change | null,
  old: Change | null = null,
): EventDraft {
  const featureName = (change ?? old)?.feature ?? null
  const facts = change === null ? {} : toFacts(change)
  const event = changeRequestEvent(type, changeRequest, attribution, facts, featureName)
  return old === null ? event : { ...event, preData: { changeRequestId: changeRequest.id, ...toFacts(old) } }
}

function toFacts(change: Change): EventData {
  const subject: EventData = change.feature === null ? { segmentId: segmentId(change) } : { feature: change.feature }
  return { changeId: change.id, action: change.action, ...subject, payload: change.payload }
}
