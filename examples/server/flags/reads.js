/** Reads the flag tables, on a Knex or in a transaction. Queries run one after another, which works for both. */

/** The state of flags per environment, as a look-up by flag and environment; without an environment, of all of them. */
async function readPlaces(db, features, environment) {
  const where = environment === undefined ? {} : { environment }
  const among = (table) => db(table).whereIn('feature', features).where(where)
  const states = byPlace(await among('flag_feature_environments'))
  const strategies = byPlace(await readStrategies(db, among('flag_strategies')), 'strategy')
  const variants = byPlace(await among('flag_variants').orderBy('position'))
  const plans = byPlace(await readPlans(db, among('flag_plans')), 'plan')
  return (feature, name) => {
    const place = toPlace(feature, name)
    return {
      enabled: Boolean(states.get(place)?.[0].enabled),
      strategies: strategies.get(place) ?? [],
      variants: (variants.get(place) ?? []).map(({ variant }) => JSON.parse(variant)),
      releasePlans: plans.get(place) ?? [],
    }
  }
}

/** The state of one flag in one environment. */
async function readPlace(db, feature, environment) {
  const place = await readPlaces(db, [feature], environment)
  return place(feature, environment)
}

async function readStrategies(db, query) {
  const rows = await query.orderBy(['sort_order', 'id'])
  const ids = rows.map(({ id }) => id)
  const used = await db('flag_strategy_segments').whereIn('strategy', ids).orderBy('segment')
  const segments = groupBy(used, ({ strategy }) => strategy)
  return rows.map(({ feature, environment, ...row }) => {
    const ofStrategy = (segments.get(row.id) ?? []).map(({ segment }) => Number(segment))
    return { feature, environment, strategy: toStrategy(row, ofStrategy) }
  })
}

function toStrategy({ id, name, title, disabled, sort_order, milestone, ...row }, segments) {
  return {
    id,
    name,
    title,
    disabled: Boolean(disabled),
    sortOrder: sort_order,
    constraints: JSON.parse(row.constraints),
    parameters: JSON.parse(row.parameters),
    segments,
    variants: JSON.parse(row.variants),
    ...(milestone === null ? {} : { milestoneId: milestone }),
  }
}

async function readPlans(db, query) {
  const rows = await query
  const ids = rows.map(({ id }) => id)
  const milestones = groupBy(await db('flag_milestones').whereIn('plan', ids).orderBy('position'), ({ plan }) => plan)
  return rows.map(({ id, feature, environment, name, template, active_milestone }) => {
    const ofPlan = (milestones.get(id) ?? []).map(toMilestone)
    const plan = { id, name, templateId: template, activeMilestoneId: active_milestone, milestones: ofPlan }
    return { feature, environment, plan }
  })
}

/** Includes the strategies that the flag gets when the milestone is started. */
function toMilestone({ id, name, strategies }) {
  return { id, name, strategies: JSON.parse(strategies) }
}

/** Segments that a project may use: its own and global ones. */
function segmentsOf(db, project) {
  return db('flag_segments').where((either) => either.where({ project }).orWhereNull('project'))
}

function toSegment({ id, name, description, project, constraints }) {
  return { id: Number(id), name, description, project, constraints: JSON.parse(constraints) }
}

/** The flags that use segments, of all projects, by segment. */
async function readSegmentUse(db, segments) {
  const users = await db('flag_strategy_segments')
    .join('flag_strategies', 'flag_strategies.id', 'flag_strategy_segments.strategy')
    .join('flag_features', 'flag_features.name', 'flag_strategies.feature')
    .whereIn('segment', segments)
    .distinct('segment', 'project', 'feature')
    .orderBy(['segment', 'project', 'feature'])
  const use = new Map(segments.map((id) => [id, []]))
  for (const { segment, project, feature } of users) use.get(Number(segment)).push({ project, feature })
  return use
}

/** The parents of flags, as a look-up by flag. */
async function readDependencies(db, features) {
  const rows = await db('flag_dependencies').whereIn('feature', features).orderBy('parent')
  const dependencies = groupBy(rows, ({ feature }) => feature)
  return (feature) => (dependencies.get(feature) ?? []).map(toDependency)
}

function toDependency({ parent, enabled, variants }) {
  return { feature: parent, enabled: Boolean(enabled), variants: JSON.parse(variants) }
}

/** By flag and environment; with `part`, that property of each. */
function byPlace(rows, part) {
  const groups = groupBy(rows, ({ feature, environment }) => toPlace(feature, environment))
  if (part === undefined) return groups
  return new Map([...groups].map(([place, group]) => [place, group.map((row) => row[part])]))
}

/** Names contain no blanks, so a blank can separate them. */
function toPlace(feature, environment) {
  return `${feature} ${environment}`
}

function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}

module.exports = { readDependencies, readPlace, readPlaces, readSegmentUse, segmentsOf, toSegment }
