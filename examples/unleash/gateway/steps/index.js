const { addStrategy } = require('./add-strategy')
const { archive } = require('./archive')
const { deleteStrategy } = require('./delete-strategy')
const { dependency } = require('./dependency')
const { order } = require('./order')
const { deleteSegment, segment } = require('./segment')
const { strategy } = require('./strategy')
const { toggle } = require('./toggle')
const { variants } = require('./variants')

/**
 * How each kind of step is carried out.
 *
 * - `read`: what the step is about, as the server has it now; undefined where there is nothing to write to
 * - `isBefore`: that is what the step starts from
 * - `isDone`: that is what the step leaves behind
 * - `forward`: the call; its result goes into the ledger
 * - `undo`: the opposite call
 * - `toEvents`: what the log says of it
 */
const kinds = {
  addStrategy,
  archive,
  deleteSegment,
  deleteStrategy,
  dependency,
  order,
  segment,
  strategy,
  toggle,
  variants,
}

module.exports = { kinds }
