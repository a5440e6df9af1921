/**
 * The order in which changes are carried out: of repeated updateEnabled of a flag the last alone, and a default strategy
 * (a change without id) before the flag is on.
 */
function toPlan(changes) {
  const switches = new Map(changes.filter(isSwitch).map((change) => [change.feature, change]))
  const defaults = changes.filter((change) => isDefaultStrategy(change) && switches.has(change.feature))
  return changes.flatMap((change) => {
    if (defaults.includes(change)) return []
    if (!isSwitch(change)) return [change]
    if (switches.get(change.feature) !== change) return []
    return [...defaults.filter(({ feature }) => feature === change.feature), change]
  })
}

function isSwitch({ action }) {
  return action === 'updateEnabled'
}

function isDefaultStrategy({ id, action }) {
  return id === null && action === 'addStrategy'
}

/** Whether the change gives the flag an active strategy. */
function activates({ action, payload }) {
  return action === 'addStrategy'
    ? payload.disabled !== true
    : action === 'updateStrategy'
      ? payload.disabled === false
      : action === 'startMilestone'
}

module.exports = { activates, toPlan }
