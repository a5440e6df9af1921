const { readDefaultStrategy } = require('./default-strategy')
const { seedDemo } = require('./demo')
const { readDependencies, readPlaces, readSegmentUse, segmentsOf, toSegment } = require('./reads')
const { createTables } = require('./tables')

/** What the apps of the demo send with each evaluation. */
const contextFields = [
  { name: 'userId', description: 'Identifies the user', stickiness: true },
  { name: 'email', description: 'The address of the user' },
  { name: 'country', description: 'Two letters', legalValues: ['de', 'fr', 'jp', 'us'] },
]

/** A small flag store on the Knex of the server: the part that a host app has before it mounts the router. */
function createFlagStore(knex) {
  return {
    migrate: () => createTables(knex),
    /** Fills an empty store with the demo project. Returns whether it did. */
    seed: () => seedDemo(knex),
    transaction: (work) => knex.transaction(work),
    hasProject,
    list,
    current,
    /** Used by the router to check a change before it accepts it. */
    directory: {
      ...{ hasProject, projects, environments, knownFeatures, searchFeatures, searchSegments },
      contextFields: () => contextFields,
    },
  }

  async function hasProject(project, environment) {
    if (environment === undefined) return (await knex('flag_projects').where({ name: project })).length > 0
    return (await knex('flag_environments').where({ project, name: environment })).length > 0
  }

  function knownFeatures(project, features) {
    return knex('flag_features').where({ project }).whereIn('name', features).pluck('name')
  }

  /** Archived flags are left out: nothing can be proposed for them. */
  async function searchFeatures(query, { project }) {
    const names = await knex('flag_features').where({ project, archived: false }).orderBy('name').pluck('name')
    return names.filter((name) => name.toLowerCase().includes(query.toLowerCase()))
  }

  async function searchSegments(query, { project }) {
    const segments = (await segmentsOf(knex, project).orderBy('name')).map(toSegment)
    return segments.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
  }

  function projects() {
    return knex('flag_projects').pluck('name')
  }

  function environments(project) {
    return knex('flag_environments').where({ project }).orderBy('position').select('name', 'type')
  }

  /** All flags of a project with their state in each environment, and its segments. */
  async function list(project) {
    const features = await knex('flag_features').where({ project }).orderBy('name')
    const names = features.map(({ name }) => name)
    const places = await environments(project)
    const place = await readPlaces(knex, names)
    const dependencies = await readDependencies(knex, names)
    return {
      features: features.map(({ name, description, tags, archived }) => ({
        name,
        description,
        archived: Boolean(archived),
        tags: JSON.parse(tags),
        dependencies: dependencies(name),
        environments: places.map((environment) => ({ ...environment, ...place(name, environment.name) })),
      })),
      segments: (await segmentsOf(knex, project).orderBy('id')).map(toSegment),
    }
  }

  /**
   * The current state of the flags and segments of the changes; deleted ones are left out. `missing` has what the changes mention
   * and does not exist. In the transaction of an apply, the rows are locked, always in the same order.
   */
  async function current({ project, environment, features, segments, mentions }, options) {
    const db = options?.transaction ?? knex
    const held = (query) => (options?.forUpdate ? query.forUpdate() : query)
    const rows = await held(db('flag_features').where({ project }).whereIn('name', features).orderBy('name'))
    const ids = [...segments, ...(mentions?.segments ?? [])]
    const present = (await held(segmentsOf(db, project).whereIn('id', ids).orderBy('id'))).map(toSegment)
    const named = mentions?.templates ?? []
    const templates = await held(db('flag_templates').whereIn('id', named).orderBy('id').select('id'))
    const place = await readPlaces(db, features, environment)
    const dependencies = await readDependencies(db, features)
    const possibleParents = await db('flag_features').where({ project, archived: false }).pluck('name')
    const defaultStrategy = await readDefaultStrategy(db, project, environment)
    return {
      features: new Map(
        rows.map((row) => [
          row.name,
          { ...toState(row, place(row.name, environment), possibleParents), dependencies: dependencies(row.name) },
        ]),
      ),
      segments: new Map(present.filter(({ id }) => segments.includes(id)).map((segment) => [segment.id, segment])),
      // It is only shown, so an apply does not need it.
      ...(!options?.forUpdate && { segmentUse: await readSegmentUse(db, segments) }),
      ...(mentions && { missing: missingOf(mentions, present, templates) }),
      ...(defaultStrategy === undefined ? {} : { defaultStrategy }),
    }
  }
}

function missingOf(mentions, segments, templates) {
  const isMissing = (rows) => (wanted) => !rows.some(({ id }) => id === wanted)
  return {
    segments: mentions.segments.filter(isMissing(segments)),
    templates: mentions.templates.filter(isMissing(templates)),
  }
}

function toState({ archived, tags }, { enabled, strategies, variants, releasePlans }, possibleParents) {
  const milestones = releasePlans.flatMap((plan) => plan.milestones)
  return {
    archived: Boolean(archived),
    enabled,
    strategies,
    variants,
    possibleParents,
    releasePlans: releasePlans.map(({ id }) => id),
    milestones: milestones.map(({ id }) => id),
    milestoneStrategies: milestones.flatMap(({ id, strategies }) =>
      strategies.map((strategy) => ({ ...strategy, milestoneId: id })),
    ),
    tags: JSON.parse(tags),
  }
}

module.exports = { createFlagStore }
