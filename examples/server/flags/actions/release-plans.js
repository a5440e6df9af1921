const { randomUUID } = require('node:crypto')
const { conflict } = require('../conflict')
const { readPlace } = require('../reads')
const { deleteStrategies, insertStrategy } = require('../writes')
const { requireSegments } = require('./strategies')

/** A copy of the template with its own milestones. Nothing is enabled until a milestone is started. */
async function addReleasePlan(context, { feature, payload: { templateId } }) {
  const { trx, environment, events } = context
  const template = await trx('flag_templates').where({ id: templateId }).first()
  if (template === undefined) throw conflict(`The release plan template ${templateId} does not exist.`)
  const { releasePlans } = await readPlace(trx, feature, environment)
  if (releasePlans.length > 0) throw conflict(`${feature}: There is a release plan in ${environment} already.`)
  const plan = randomUUID()
  await trx('flag_plans').insert({ id: plan, feature, environment, template: templateId, name: template.name })
  for (const [position, { name, strategies }] of JSON.parse(template.milestones).entries()) {
    const own = strategies.map((strategy) => ({ id: randomUUID(), segments: [], variants: [], ...strategy }))
    await trx('flag_milestones').insert({ id: randomUUID(), plan, position, name, strategies: JSON.stringify(own) })
  }
  const data = await requirePlan(context, feature, plan)
  events.push({ type: 'release-plan-added', featureName: feature, data })
}

/** The strategies of the milestone replace those of the previous one. */
async function startMilestone(context, { feature, payload: { planId, milestoneId } }) {
  const { trx, project, environment, events } = context
  const preData = await requirePlan(context, feature, planId)
  const milestone = await trx('flag_milestones').where({ id: milestoneId, plan: planId }).first()
  if (milestone === undefined) throw conflict(`${feature}: Milestone has been deleted`)
  if (preData.activeMilestoneId === milestoneId) return
  await deletePlanStrategies(trx, preData)
  for (const strategy of JSON.parse(milestone.strategies)) {
    await requireSegments(trx, project, strategy.segments)
    await insertStrategy(trx, { feature, environment, milestone: milestoneId }, { ...strategy, id: undefined })
  }
  await trx('flag_plans').where({ id: planId }).update({ active_milestone: milestoneId })
  const data = await requirePlan(context, feature, planId)
  events.push({ type: 'release-plan-milestone-started', featureName: feature, data, preData })
}

/** Takes effect when the milestone is started next. */
async function updateMilestoneStrategy(context, { feature, payload }) {
  const { trx, project, environment, events } = context
  const { releasePlans } = await readPlace(trx, feature, environment)
  const milestones = releasePlans.flatMap((plan) => plan.milestones)
  const milestone = milestones.find(({ strategies }) => strategies.some(({ id }) => id === payload.id))
  if (milestone === undefined) throw conflict(`${feature}: Strategy has been deleted`)
  await requireSegments(trx, project, payload.segments ?? [])
  const preData = milestone.strategies.find(({ id }) => id === payload.id)
  const data = { ...preData, ...payload, disabled: payload.disabled ?? preData.disabled }
  const strategies = milestone.strategies.map((one) => (one.id === payload.id ? data : one))
  await trx('flag_milestones')
    .where({ id: milestone.id })
    .update({ strategies: JSON.stringify(strategies) })
  events.push({ type: 'feature-strategy-update', featureName: feature, data, preData })
}

async function deleteReleasePlan(context, { feature, payload: { planId } }) {
  const { trx, events } = context
  const preData = await requirePlan(context, feature, planId)
  await deletePlanStrategies(trx, preData)
  await trx('flag_milestones').where({ plan: planId }).delete()
  await trx('flag_plans').where({ id: planId }).delete()
  events.push({ type: 'release-plan-removed', featureName: feature, preData })
}

async function deletePlanStrategies(trx, { milestones }) {
  for (const { id } of milestones) await deleteStrategies(trx, { milestone: id })
}

async function requirePlan({ trx, environment }, feature, planId) {
  const { releasePlans } = await readPlace(trx, feature, environment)
  const plan = releasePlans.find(({ id }) => id === planId)
  if (plan === undefined) throw conflict(`${feature}: Release plan has been deleted`)
  return plan
}

module.exports = { addReleasePlan, deleteReleasePlan, startMilestone, updateMilestoneStrategy }
