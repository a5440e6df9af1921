const { conflict } = require('../conflict')
const { segmentsOf, toSegment } = require('../reads')

async function updateSegment({ trx, project, events }, { payload }) {
  const before = await readSegment(trx, project, payload.id)
  const { id, name, constraints, description, project: owner } = { ...before, ...payload }
  if (owner !== null && owner !== project) throw conflict(`Segment ${id} cannot be moved to another project.`)
  const row = { name, constraints: JSON.stringify(constraints), description, project: owner }
  await trx('flag_segments').where({ id }).update(row)
  const data = await readSegment(trx, project, id)
  events.push({ type: 'segment-updated', environment: null, data, preData: before })
}

async function deleteSegment({ trx, project, events }, { payload: { id } }) {
  const preData = await readSegment(trx, project, id)
  const users = await trx('flag_strategy_segments')
    .join('flag_strategies', 'flag_strategies.id', 'flag_strategy_segments.strategy')
    .where({ segment: id })
    .pluck('feature')
  if (users.length > 0) throw conflict(`Segment ${id} is used by ${[...new Set(users)].sort().join(', ')}.`)
  await trx('flag_segments').where({ id }).delete()
  events.push({ type: 'segment-deleted', environment: null, preData })
}

async function readSegment(trx, project, id) {
  const row = await segmentsOf(trx, project).where({ id }).first()
  if (row === undefined) throw conflict(`Segment ${id}: Segment has been deleted`)
  return toSegment(row)
}

module.exports = { deleteSegment, updateSegment }
