import acknowledgement from '#schemas/acknowledgement.json'
import approversUpdate from '#schemas/approvers-update.json'
import commentResolution from '#schemas/comment-resolution.json'
import commentSubmission from '#schemas/comment-submission.json'
import commentUpdate from '#schemas/comment-update.json'
import eventRecord from '#schemas/event-record.json'
import playgroundRequest from '#schemas/playground-request.json'
import presetSchedule from '#schemas/preset-schedule.json'
import rebase from '#schemas/rebase.json'
import revert from '#schemas/revert.json'
import settingsUpdate from '#schemas/settings-update.json'
import rebasedChange from '#schemas/shared/change-requests/rebased-change.json'
import changeRequestEventType from '#schemas/shared/events/change-request-event-type.json'
import eventData from '#schemas/shared/events/event-data.json'
import eventType from '#schemas/shared/events/event-type.json'
import tag from '#schemas/shared/events/tag.json'
import tags from '#schemas/shared/events/tags.json'
import name from '#schemas/shared/name.json'
import planSafeguard from '#schemas/shared/safeguards/plan-safeguard.json'
import planSafeguardRemoval from '#schemas/shared/safeguards/plan-safeguard-removal.json'
import safeguard from '#schemas/shared/safeguards/safeguard.json'
import segmentId from '#schemas/shared/segment-id.json'
import state from '#schemas/shared/states/state.json'
import stateUpdateScheduled from '#schemas/shared/states/state-update-scheduled.json'
import stateUpdateUnscheduled from '#schemas/shared/states/state-update-unscheduled.json'
import constraint from '#schemas/shared/strategies/constraint.json'
import constraints from '#schemas/shared/strategies/constraints.json'
import flagVariant from '#schemas/shared/strategies/flag-variant.json'
import knownOperator from '#schemas/shared/strategies/known-operator.json'
import operator from '#schemas/shared/strategies/operator.json'
import parameters from '#schemas/shared/strategies/parameters.json'
import strategyUpdate from '#schemas/shared/strategies/strategy-update.json'
import strategyVariant from '#schemas/shared/strategies/strategy-variant.json'
import strategyVariantClosed from '#schemas/shared/strategies/strategy-variant-closed.json'
import variantPayload from '#schemas/shared/strategies/variant-payload.json'
import title from '#schemas/title.json'
import { schemaOfEachAction } from '../../generated/change-schemas'

/** Schemas that are never compiled on their own: other schemas refer to them. */
const sharedSchemas: readonly object[] = [
  changeRequestEventType,
  constraint,
  constraints,
  eventData,
  eventType,
  flagVariant,
  knownOperator,
  name,
  operator,
  parameters,
  planSafeguard,
  planSafeguardRemoval,
  rebasedChange,
  safeguard,
  segmentId,
  state,
  strategyUpdate,
  strategyVariant,
  strategyVariantClosed,
  tag,
  tags,
  variantPayload,
]

/** The schemas of bodies without changes. */
export const bodySchemas = {
  acknowledgement,
  approversUpdate,
  commentResolution,
  commentSubmission,
  commentUpdate,
  playgroundRequest,
  rebase,
  presetSchedule,
  revert,
  settingsUpdate,
  stateUpdateScheduled,
  stateUpdateUnscheduled,
  title,
}

export { eventRecord }

/** The schema of each action, in the order of error messages. A Map, because the key comes from the caller. */
export const changeSchemas: ReadonlyMap<string, object> = new Map(Object.entries(schemaOfEachAction))

/** Every schema that can be compiled or referred to, once each, except for the name of a flag, which depends on the router. */
export const allSchemas: readonly object[] = [
  ...sharedSchemas,
  ...Object.values(bodySchemas),
  eventRecord,
  ...changeSchemas.values(),
]
