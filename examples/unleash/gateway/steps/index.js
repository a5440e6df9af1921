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
 * The implementation of each kind of step.
 *
 * - `read`: the current state on the server; undefined if there is nothing to write to
 * - `isBefore`: whether it is the state before the step
 * - `isDone`: whether it is the state after the step
 * - `forward`: the call; its result goes into the ledger
 * - `undo`: the opposite call
 * - `toEvents`: the events for the log
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
