// Generated from schemas/ by `node schemas/generate.js`. Edit the schemas, not this file.

import updateSegment from '#schemas/changes/updateSegment.json'
import deleteSegment from '#schemas/changes/deleteSegment.json'
import updateEnabled from '#schemas/changes/updateEnabled.json'
import addStrategy from '#schemas/changes/addStrategy.json'
import updateStrategy from '#schemas/changes/updateStrategy.json'
import deleteStrategy from '#schemas/changes/deleteStrategy.json'
import archiveFeature from '#schemas/changes/archiveFeature.json'
import patchVariant from '#schemas/changes/patchVariant.json'
import reorderStrategy from '#schemas/changes/reorderStrategy.json'
import addDependency from '#schemas/changes/addDependency.json'
import deleteDependency from '#schemas/changes/deleteDependency.json'
import addReleasePlan from '#schemas/changes/addReleasePlan.json'
import startMilestone from '#schemas/changes/startMilestone.json'
import deleteReleasePlan from '#schemas/changes/deleteReleasePlan.json'
import changeMilestoneProgression from '#schemas/changes/changeMilestoneProgression.json'
import deleteMilestoneProgression from '#schemas/changes/deleteMilestoneProgression.json'
import resumeMilestoneProgression from '#schemas/changes/resumeMilestoneProgression.json'
import updateMilestoneStrategy from '#schemas/changes/updateMilestoneStrategy.json'
import changeReleasePlanSafeguard from '#schemas/changes/changeReleasePlanSafeguard.json'
import deleteReleasePlanSafeguard from '#schemas/changes/deleteReleasePlanSafeguard.json'
import changeFeatureEnvSafeguard from '#schemas/changes/changeFeatureEnvSafeguard.json'
import deleteFeatureEnvSafeguard from '#schemas/changes/deleteFeatureEnvSafeguard.json'
import changeSafeguard from '#schemas/changes/changeSafeguard.json'
import deleteSafeguard from '#schemas/changes/deleteSafeguard.json'
import acknowledgement from '#schemas/acknowledgement.json'
import approversUpdate from '#schemas/approvers-update.json'
import checkReport from '#schemas/check-report.json'
import commentResolution from '#schemas/comment-resolution.json'
import commentSubmission from '#schemas/comment-submission.json'
import commentUpdate from '#schemas/comment-update.json'
import objectionDismissal from '#schemas/objection-dismissal.json'
import objection from '#schemas/objection.json'
import playgroundRequest from '#schemas/playground-request.json'
import presetSchedule from '#schemas/preset-schedule.json'
import rebase from '#schemas/rebase.json'
import revert from '#schemas/revert.json'
import settingsUpdate from '#schemas/settings-update.json'
import stateUpdateScheduled from '#schemas/shared/states/state-update-scheduled.json'
import stateUpdateUnscheduled from '#schemas/shared/states/state-update-unscheduled.json'
import title from '#schemas/title.json'
import eventRecord from '#schemas/event-record.json'
import rebasedChange from '#schemas/shared/change-requests/rebased-change.json'
import checkStatus from '#schemas/shared/checks/check-status.json'
import changeRequestEventType from '#schemas/shared/events/change-request-event-type.json'
import eventData from '#schemas/shared/events/event-data.json'
import eventType from '#schemas/shared/events/event-type.json'
import tag from '#schemas/shared/events/tag.json'
import tags from '#schemas/shared/events/tags.json'
import name from '#schemas/shared/name.json'
import planSafeguardRemoval from '#schemas/shared/safeguards/plan-safeguard-removal.json'
import planSafeguard from '#schemas/shared/safeguards/plan-safeguard.json'
import safeguard from '#schemas/shared/safeguards/safeguard.json'
import segmentId from '#schemas/shared/segment-id.json'
import state from '#schemas/shared/states/state.json'
import constraint from '#schemas/shared/strategies/constraint.json'
import constraints from '#schemas/shared/strategies/constraints.json'
import flagVariant from '#schemas/shared/strategies/flag-variant.json'
import knownOperator from '#schemas/shared/strategies/known-operator.json'
import operator from '#schemas/shared/strategies/operator.json'
import parameters from '#schemas/shared/strategies/parameters.json'
import strategyUpdate from '#schemas/shared/strategies/strategy-update.json'
import strategyVariantClosed from '#schemas/shared/strategies/strategy-variant-closed.json'
import strategyVariant from '#schemas/shared/strategies/strategy-variant.json'
import variantPayload from '#schemas/shared/strategies/variant-payload.json'
import type { Action } from './index'

/** The schema of each action, in the order in which errors name the actions. */
export const schemaOfEachAction: Readonly<Record<Action, object>> = {
  updateSegment,
  deleteSegment,
  updateEnabled,
  addStrategy,
  updateStrategy,
  deleteStrategy,
  archiveFeature,
  patchVariant,
  reorderStrategy,
  addDependency,
  deleteDependency,
  addReleasePlan,
  startMilestone,
  deleteReleasePlan,
  changeMilestoneProgression,
  deleteMilestoneProgression,
  resumeMilestoneProgression,
  updateMilestoneStrategy,
  changeReleasePlanSafeguard,
  deleteReleasePlanSafeguard,
  changeFeatureEnvSafeguard,
  deleteFeatureEnvSafeguard,
  changeSafeguard,
  deleteSafeguard,
}

/** The schemas of bodies without changes. */
export const bodySchemas = {
  acknowledgement,
  approversUpdate,
  checkReport,
  commentResolution,
  commentSubmission,
  commentUpdate,
  objectionDismissal,
  objection,
  playgroundRequest,
  presetSchedule,
  rebase,
  revert,
  settingsUpdate,
  stateUpdateScheduled,
  stateUpdateUnscheduled,
  title,
}

export { eventRecord }

/** Schemas that are never compiled on their own: other schemas refer to them. */
export const sharedSchemas: readonly object[] = [
  rebasedChange,
  checkStatus,
  changeRequestEventType,
  eventData,
  eventType,
  tag,
  tags,
  name,
  planSafeguardRemoval,
  planSafeguard,
  safeguard,
  segmentId,
  state,
  constraint,
  constraints,
  flagVariant,
  knownOperator,
  operator,
  parameters,
  strategyUpdate,
  strategyVariantClosed,
  strategyVariant,
  variantPayload,
]
