import type { Irreversible } from '../diff/revert'
import { isEnabled } from './content-rules'
import { rule } from './rule'
import { wrongState } from './state-rules'

export const isApplied = rule([], ({ state }) =>
  state === 'Applied' ? undefined : wrongState(`Only what is Applied can be reverted; this is ${state}.`),
)

/** Change requests are enabled there. What is not applied is rejected for its state, whatever the settings. */
export const isRevertEnabled = rule(isEnabled.needs, (current, facts) =>
  current.state === 'Applied' ? isEnabled.check(current, facts) : undefined,
)

/** The proposal has room, and is valid. */
export const isRevertValid = rule(['revert'], (_, { revert }) => {
  if (revert === undefined) return undefined
  const { excess, invalid } = revert
  return excess === undefined ? invalid : { code: 'limit-exceeded', message: excess }
})

/** Something can be reverted, and all of it unless the caller accepts a part. */
export const isReversible = rule(['revert', 'partial'], (_, { revert, partial }) => {
  if (revert === undefined) return undefined
  const { irreversible, changes } = revert
  if (irreversible.length > 0 && !partial) {
    return irreversible.map((change) => ({ code: 'irreversible', message: `Nothing takes ${nameOf(change)} back.` }))
  }
  return changes.length === 0 ? { code: 'no-changes', message: 'There is nothing to take back.' } : undefined
})

function nameOf({ id, action, feature }: Irreversible): string {
  const change = id === null ? 'the default change' : `change ${id}`
  return `${change} (${action}${feature === null ? '' : ` of ${feature}`})`
}
