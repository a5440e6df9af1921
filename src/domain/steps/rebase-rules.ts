import { closedStates, type State } from '../lifecycle'
import { rule } from './rule'
import { wrongState } from './state-rules'

export const isRebasable = rule([], ({ state }) =>
  closedStates.includes(state)
    ? wrongState(`The change request is ${state}: its changes can no longer be edited.`)
    : undefined,
)

/** From these states, the step leads to an open change request: its author must have no other one there. */
export function noOtherOpen(...from: readonly State[]) {
  return rule(['otherOpen'], ({ state }, { otherOpen: id }) =>
    !from.includes(state) || id === undefined
      ? undefined
      : {
          code: 'other-open-change-request',
          message: `Your change request ${id} is open in this project and environment. Close it first.`,
        },
  )
}

/** The body decides on everything that the changes overwrite. */
export const decidesOnOverwrites = rule(['undecided'], (_, { undecided }) =>
  undecided.map((overwrite) => ({
    code: 'overwrite',
    message: `Resolve this overwrite with ours, theirs or drop (${overwrite}).`,
  })),
)

export const keepsAChange = rule(['leavesNone'], ({ state }, { leavesNone }) =>
  leavesNone && state !== 'Draft'
    ? { code: 'no-changes', message: 'The rebase would leave no changes. Cancel or reject the change request instead.' }
    : undefined,
)
