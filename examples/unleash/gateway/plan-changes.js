const { readAll } = require('../server/read-all')
const { planSteps } = require('./plan')
const { preflight } = require('./preflight')
const { readActiveFlag, readSegment } = require('./read-state')
const { foresee } = require('./target')

/** The calls that apply changes. @throws ConflictError if a change no longer fits */
async function planChanges(client, changes, place) {
  const named = (key) => [...new Set(changes.map(key).filter((each) => each != null))]
  const flags = await readAll(
    named(({ feature }) => feature),
    (name) => readActiveFlag(client, place, name),
  )
  const segmentOf = ({ action, payload }) => (action.endsWith('Segment') ? payload.id : undefined)
  const segments = await readAll(named(segmentOf), (id) => readSegment(client, id))
  const current = { flags, segments }
  const steps = planSteps(current, foresee(changes, current))
  await preflight(client, place, steps)
  return steps
}

module.exports = { planChanges }
