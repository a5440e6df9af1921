import { closedStates, type State } from '../lifecycle'
import { isEnabled } from './content-rules'
import type { CopyFacts } from './facts'
import { type Finding, rule } from './rule'
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

export const isRevertible = rule([], ({ state }) =>
  state === 'Applied' || state === 'Scheduled'
    ? undefined
    : wrongState(`Only an Applied change request can be reverted; this one is ${state}.`),
)

/** Change requests are enabled. Not checked in other states, which `isRevertible` or `isClosed` rejects. */
export function enabledIn(...states: readonly State[]) {
  return rule(isEnabled.needs, (current, facts) =>
    states.includes(current.state) ? isEnabled.check(current, facts) : undefined,
  )
}

export const isRevertValid = rule(['revert'], (_, { revert }) => problemsOf(revert))

/** The host app knows the flags, and the draft is within the limits and valid. */
function problemsOf({ rejected, excess, invalid }: Partial<CopyFacts> = {}): Finding {
  if (rejected !== undefined) return { code: 'invalid', message: rejected.message, error: rejected }
  return excess === undefined ? invalid : { code: 'limit-exceeded', message: excess }
}

/** Every change can be reverted, or at least one if the caller accepts a partial revert. */
export const isReversible = rule(['revert', 'partial'], (_, { revert, partial }) => {
  if (revert === undefined) return undefined
  const { irreversible, changes } = revert
  if (irreversible.length > 0 && !partial) {
    return irreversible.map(({ phrase }) => ({ code: 'irreversible', message: `${phrase} cannot be reverted.` }))
  }
  return changes.length === 0 ? { code: 'no-changes', message: 'There is nothing to revert.' } : undefined
})

export const isClosed = rule([], ({ state }) =>
  closedStates.includes(state)
    ? undefined
    : wrongState(`Only a closed change request can be copied; this one is ${state}.`),
)

export const isCopyValid = rule(['copy'], (_, { copy }) => problemsOf(copy))
