import { closedStates } from '../lifecycle'
import { isEnabled } from './content-rules'
import { rule } from './rule'
import { wrongState } from './state-rules'

export const isClosed = rule([], ({ state }) =>
  closedStates.includes(state)
    ? undefined
    : wrongState(`Only a closed change request can be copied; this one is ${state}.`),
)

/** Change requests are enabled. Checked only once it is closed: before, `isClosed` rejects. */
export const isCopyEnabled = rule(isEnabled.needs, (current, facts) =>
  closedStates.includes(current.state) ? isEnabled.check(current, facts) : undefined,
)

/** The host app knows the flags, and the copy is within the limits and valid. */
export const isCopyValid = rule(['copy'], (_, { copy }) => {
  if (copy === undefined) return undefined
  const { rejected, excess, invalid } = copy
  if (rejected !== undefined) return { code: 'invalid', message: rejected.message, error: rejected }
  return excess === undefined ? invalid : { code: 'limit-exceeded', message: excess }
})

export const hasChangesToCopy = rule([], ({ state, changes }) =>
  closedStates.includes(state) && changes.length === 0
    ? { code: 'no-changes', message: 'There is nothing to copy: the change request has no changes.' }
    : undefined,
)
