const { isDeepStrictEqual } = require('node:util')

/**
 * One call to the server, as stored in the ledger. `final`: it cannot be undone, so an interrupted apply that got this far is
 * continued.
 * @typedef {{ kind: string, feature?: string, final?: true, [property: string]: unknown }} Step
 */

/**
 * The calls that lead from the current state to the target. First disabling, then edits, with new strategies before old ones
 * are removed, then enabling, and last the calls that cannot be undone. A strategy that will be deleted is first disabled, so
 * that it has no effect any more.
 *
 * @returns {Step[]}
 */
function planSteps({ flags, segments }, target) {
  const pairs = [...target.flags].map(([feature, after]) => ({ feature, before: flags.get(feature), after }))
  const segmentPairs = [...target.segments].map(([id, after]) => ({ segment: id, before: segments.get(id), after }))
  const each = (toSteps) => pairs.flatMap(toSteps)
  const variants = each(replaceVariants)
  return [
    ...each((pair) => toggle(pair, false)),
    ...segmentPairs.flatMap(updateSegment),
    ...each(dependency),
    ...each(addStrategies),
    ...each((pair) => updateStrategies(pair, false)),
    ...each((pair) => updateStrategies(pair, true)),
    ...each(order),
    ...variants.filter((step) => !isFinal(step)),
    ...each((pair) => toggle(pair, true)),
    ...each(deleteStrategies),
    ...variants.filter(isFinal),
    ...segmentPairs.flatMap(deleteSegment),
    ...archive(pairs),
  ]
}

function toggle({ feature, before, after }, enabled) {
  if (before.enabled === after.enabled || after.enabled !== enabled) return []
  return [{ kind: 'toggle', feature, before: before.enabled, after: enabled }]
}

function updateSegment({ segment, before, after }) {
  if (after === null || isDeepStrictEqual(before, after)) return []
  return [{ kind: 'segment', segment, before, after }]
}

function dependency({ feature, before, after }) {
  if (isDeepStrictEqual(before.dependency, after.dependency)) return []
  return [{ kind: 'dependency', feature, before: before.dependency, after: after.dependency }]
}

function addStrategies({ feature, before, after }) {
  const known = before.strategies.map(({ id }) => id)
  const added = after.strategies
    .filter(({ id }) => id === undefined)
    .map(({ changeId, ...strategy }) => ({ changeId, strategy }))
  return added.map(({ changeId, strategy }, index) => {
    const twins = added.slice(0, index).filter((each) => isDeepStrictEqual(each.strategy, strategy)).length
    return { kind: 'addStrategy', feature, known, twins, strategy, changeId }
  })
}

/** The server sets variants only on a flag that has some, so removing all of them cannot be undone. */
function replaceVariants({ feature, before, after }) {
  if (isDeepStrictEqual(before.variants, after.variants)) return []
  const final = after.variants.length === 0 ? { final: true } : {}
  return [{ kind: 'variants', feature, before: before.variants, after: after.variants, ...final }]
}

const isFinal = (step) => step.final === true

/** @param disabled Selects the strategies that are disabled afterwards, or the others. */
function updateStrategies({ feature, before, after }, disabled) {
  const { strategies, deleted } = after
  const doomed = deleted.map(({ id }) => {
    const current = before.strategies.find((each) => each.id === id)
    return { ...current, disabled: true, doomed: true }
  })
  return [...strategies, ...doomed].flatMap(({ doomed: silent, ...wanted }) => {
    const current = before.strategies.find(({ id }) => id === wanted.id)
    if (current === undefined || wanted.disabled !== disabled) return []
    // The sort order is set by a separate call.
    const next = { ...wanted, sortOrder: current.sortOrder }
    if (isDeepStrictEqual(current, next)) return []
    return [{ kind: 'strategy', feature, before: current, after: next, ...(silent ? { silent } : {}) }]
  })
}

function order({ feature, before, after }) {
  const known = new Map(before.strategies.map(({ id, sortOrder }) => [id, sortOrder]))
  const moved = after.strategies.filter(({ id, sortOrder }) => known.has(id) && known.get(id) !== sortOrder)
  if (moved.length === 0) return []
  return [
    {
      kind: 'order',
      feature,
      before: moved.map(({ id }) => ({ id, sortOrder: known.get(id) })),
      after: moved.map(({ id, sortOrder }) => ({ id, sortOrder })),
      idsBefore: before.strategies.map(({ id }) => id),
    },
  ]
}

function deleteStrategies({ feature, before, after }) {
  return after.deleted.map(({ id }) => {
    const strategy = before.strategies.find((each) => each.id === id)
    return { kind: 'deleteStrategy', feature, strategy, final: true }
  })
}

function deleteSegment({ segment, before, after }) {
  return after === null ? [{ kind: 'deleteSegment', segment, before, final: true }] : []
}

/** All flags in one call: the server archives parents and children only together. */
function archive(pairs) {
  const archived = pairs.filter(({ after }) => after.archived)
  if (archived.length === 0) return []
  const features = archived.map(({ feature }) => feature)
  const children = archived.filter(({ after }) => after.dependency !== null).map(({ feature }) => feature)
  return [{ kind: 'archive', features, children, final: true }]
}

module.exports = { planSteps }
