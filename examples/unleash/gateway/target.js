const { conflict } = require('./conflict')
const { toStrategy } = require('./read-state')

/**
 * Calculates the state of flags and segments after all changes, without calling the server. New strategies have no id.
 * Deleted ones are listed in `deleted`, because other steps must come first.
 *
 * @throws ConflictError if a change no longer fits
 */
function foresee(changes, { flags, segments }) {
  const target = { flags: new Map(), segments: new Map([...segments].map(([id, segment]) => [id, { ...segment }])) }
  for (const [name, flag] of flags) {
    target.flags.set(name, { ...flag, strategies: flag.strategies.map((each) => ({ ...each })), deleted: [] })
  }
  for (const { id, action, feature, payload } of changes) {
    if (segmentActions[action]) segmentActions[action](target.segments, payload)
    else flagActions[action](requireFlag(target, feature), payload, id)
  }
  for (const [name, flag] of target.flags) finish(name, flag, flags.get(name))
  return target
}

const segmentActions = {
  updateSegment(segments, { id, name, constraints, description, project }) {
    const current = segments.get(id)
    if (current === undefined) throw conflict(`The segment ${id} has been deleted.`)
    const sent = Object.entries({ name, constraints, description, project }).filter(([, value]) => value !== undefined)
    segments.set(id, { ...current, ...Object.fromEntries(sent) })
  },
  deleteSegment(segments, { id }) {
    if (segments.has(id)) segments.set(id, null)
  },
}

const flagActions = {
  updateEnabled(flag, { enabled, shouldActivateDisabledStrategies }) {
    const wasEnabled = flag.enabled
    flag.enabled = enabled
    if (!enabled || wasEnabled || !shouldActivateDisabledStrategies) return
    // Strategies without an id are added by the same change request.
    const existing = flag.strategies.filter(({ id }) => id !== undefined)
    if (isActive({ strategies: existing })) return
    for (const strategy of existing) strategy.disabled = false
  },
  addStrategy(flag, strategy, changeId = null) {
    flag.strategies.push({ ...toStrategy({ ...strategy, id: undefined }), sortOrder: strategy.sortOrder, changeId })
  },
  updateStrategy(flag, { id, ...sent }) {
    const index = flag.strategies.findIndex((each) => each.id === id)
    if (index < 0) throw conflict(`The strategy ${id} has been deleted.`)
    const { disabled, ...rest } = sent
    const known = Object.entries(rest).filter(([key, value]) => settable.has(key) && value !== undefined)
    const merged = {
      ...flag.strategies[index],
      ...Object.fromEntries(known),
      ...(disabled == null ? {} : { disabled }),
    }
    flag.strategies[index] = { ...toStrategy(merged), id }
  },
  deleteStrategy(flag, { id }) {
    flag.deleted.push(...flag.strategies.filter((each) => each.id === id))
    flag.strategies = flag.strategies.filter((each) => each.id !== id)
  },
  reorderStrategy(flag, places) {
    for (const { id, sortOrder } of places) {
      const strategy = flag.strategies.find((each) => each.id === id)
      if (strategy !== undefined) strategy.sortOrder = sortOrder
    }
  },
  patchVariant(flag, { variants }) {
    flag.variants = variants
  },
  addDependency(flag, { feature, enabled = true, variants = [] }) {
    flag.dependency = { feature, enabled, variants: enabled ? variants : [] }
  },
  deleteDependency(flag, { feature }) {
    if (feature === undefined || flag.dependency?.feature === feature) flag.dependency = null
  },
  archiveFeature(flag) {
    flag.archived = true
  },
}

const settable = new Set(['name', 'title', 'constraints', 'parameters', 'variants', 'segments', 'sortOrder'])

function requireFlag({ flags }, name) {
  const flag = flags.get(name)
  if (flag === undefined) throw conflict(`${name}: the flag has been archived or deleted.`)
  return flag
}

/** The server stores integers as sort order, and enables or disables flags itself if no strategy is active. */
function finish(name, flag, before) {
  if (flag.strategies.some(({ sortOrder }) => sortOrder !== undefined && !Number.isInteger(sortOrder))) {
    const place = ({ sortOrder }) => sortOrder ?? Number.POSITIVE_INFINITY
    flag.strategies.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)))
    for (const [index, strategy] of flag.strategies.entries()) strategy.sortOrder = index
  }
  if (flag.enabled && !flag.archived && !isActive(flag) && (isActive(before) || !before.enabled)) {
    throw conflict(`${name}: the flag would be on without an active strategy.`)
  }
}

function isActive({ strategies }) {
  return strategies.some(({ disabled }) => !disabled)
}

/** The actions that the gateway can apply. */
const actions = [...Object.keys(flagActions), ...Object.keys(segmentActions)]

module.exports = { actions, foresee }
