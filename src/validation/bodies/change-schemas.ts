import addDependency from '#schemas/changes/addDependency.json'
import addReleasePlan from '#schemas/changes/addReleasePlan.json'
import addStrategy from '#schemas/changes/addStrategy.json'
import archiveFeature from '#schemas/changes/archiveFeature.json'
import changeFeatureEnvSafeguard from '#schemas/changes/changeFeatureEnvSafeguard.json'
import changeMilestoneProgression from '#schemas/changes/changeMilestoneProgression.json'
import changeReleasePlanSafeguard from '#schemas/changes/changeReleasePlanSafeguard.json'
import changeSafeguard from '#schemas/changes/changeSafeguard.json'
import deleteDependency from '#schemas/changes/deleteDependency.json'
import deleteFeatureEnvSafeguard from '#schemas/changes/deleteFeatureEnvSafeguard.json'
import deleteMilestoneProgression from '#schemas/changes/deleteMilestoneProgression.json'
import deleteReleasePlan from '#schemas/changes/deleteReleasePlan.json'
import deleteReleasePlanSafeguard from '#schemas/changes/deleteReleasePlanSafeguard.json'
import deleteSafeguard from '#schemas/changes/deleteSafeguard.json'
import deleteSegment from '#schemas/changes/deleteSegment.json'
import deleteStrategy from '#schemas/changes/deleteStrategy.json'
import patchVariant from '#schemas/changes/patchVariant.json'
import reorderStrategy from '#schemas/changes/reorderStrategy.json'
import resumeMilestoneProgression from '#schemas/changes/resumeMilestoneProgression.json'
import startMilestone from '#schemas/changes/startMilestone.json'
import updateEnabled from '#schemas/changes/updateEnabled.json'
import updateMilestoneStrategy from '#schemas/changes/updateMilestoneStrategy.json'
import updateSegment from '#schemas/changes/updateSegment.json'
import updateStrategy from '#schemas/changes/updateStrategy.json'

import type { Action } from '../../generated/index'

const schemaOfEachAction: Record<Action, object> = {
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

/** The schema of each action, in the order in which errors name the actions. A Map, since callers choose the key. */
export const changeSchemas: ReadonlyMap<string, object> = new Map(Object.entries(schemaOfEachAction))
