import { isEnabled } from './content-rules'
import { rule } from './rule'
import { wrongState } from './state-rules'

export const isApplied = rule([], ({ state }) =>
  state === 'Applied' ? undefined : wrongState(`Only an Applied change request can be reverted; this one is ${state}.`),
)

/** Change requests are enabled. Checked only in the state Applied: in any other state, `isApplied` rejects. */
export const isRevertEnabled = rule(isEnabled.needs, (current, facts) =>
  current.state === 'Applied' ? isEnabled.check(current, facts) : undefined,
)

/** The revert is within the limits, and valid. */
export const isRevertValid = rule(['revert'], (_, { revert }) => {
  if (revert === undefined) return undefined
  const { excess, invalid } = revert
  return excess === undefined ? invalid : { code: 'limit-exceeded', message: excess }
})

/** Every change can be reverted, or at least one if the caller accepts a partial revert. */
export const isReversible = rule(['revert', 'partial'], (_, { revert, partial }) => {
  if (revert === undefined) return undefined
  const { irreversible, changes } = revert
  if (irreversible.length > 0 && !partial) {
    return irreversible.map(({ phrase }) => ({ code: 'irreversible', message: `${phrase} cannot be reverted.` }))
  }
  return changes.length === 0 ? { code: 'no-changes', message: 'There is nothing to revert.' } : undefined
})
