import type { Irreversible } from '../diff/revert'
import type { Rule } from './caller-rules'
import { stateMissing, switchedOff } from './state-rules'

export const onlyApplied: Rule = ({ current: { state } }) =>
  state === 'Applied' ? undefined : stateMissing(`Only what is Applied can be reverted; this is ${state}.`)

/** Change requests are switched on there, and the proposal has room and is valid. */
export const proposable: Rule = ({ facts: { revert } }) => {
  if (revert === undefined) return undefined
  const { off, excess, invalid } = revert
  if (off) return switchedOff
  return excess === undefined ? invalid : { code: 'limit', message: excess }
}

/** Something can be taken back, and all of it unless the caller says that a part is enough. */
export const reversible: Rule = ({ facts: { revert }, call }) => {
  if (revert === undefined) return undefined
  const { irreversible, changes } = revert
  if (irreversible.length > 0 && call.partial !== true) {
    return irreversible.map((change) => ({
      code: 'irreversible',
      message: `Nothing takes ${nameOf(change)} back.`,
    }))
  }
  return changes.length === 0 ? { code: 'empty', message: 'There is nothing to take back.' } : undefined
}

function nameOf({ id, action, feature }: Irreversible): string {
  const change = id === null ? 'the default change' : `change ${id}`
  return `${change} (${action}${feature === null ? '' : ` of ${feature}`})`
}
