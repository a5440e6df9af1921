import { closedStates, type State } from '../lifecycle'
import type { Rule } from './caller-rules'
import { stateMissing } from './state-rules'

export const rebasable: Rule = ({ current: { state } }) =>
  closedStates.includes(state) ? stateMissing(`The changes of a change request that is ${state} are fixed.`) : undefined

/** From this state the step leads to an open change request, and an author has at most one in a place. */
export function noOtherOpen(from: State): Rule {
  return ({ current, facts: { otherOpen: id } }) =>
    current.state !== from || id === undefined
      ? undefined
      : { code: 'open', message: `Your change request ${id} is open in this project and environment. Close it first.` }
}

/** The body decides on everything that the changes overwrite. */
export const allNamed: Rule = ({ call: { unnamed = [] } }) =>
  unnamed.map((overwrite) => ({
    code: 'overwrite',
    message: `Say what is to become of an overwrite: ours, theirs or drop (${overwrite}).`,
  }))

export const leavesOne: Rule = ({ current: { state }, call }) =>
  call.leavesNone && state !== 'Draft'
    ? { code: 'empty', message: 'No change would be left; cancel or reject the change request.' }
    : undefined
