import { type Conditional, type Place, rulesIn } from '../../domain/rules/condition'
import type { HostServices } from '../host-services'
import { callHook, invalidHookResult } from './hooks'

/**
 * The rules, checks or freezes of a project and environment: those in the option, or those that its function returns.
 *
 * @param problemIn the rest of a sentence about a list that is not valid
 * @throws ChangeRequestError if the function fails, or if what it returns is not valid
 */
export async function listOfHost<Item extends Conditional>(
  services: Pick<HostServices, 'options'>,
  option: 'approvalRules' | 'checks' | 'freezes',
  given: readonly Item[] | ((place: Place) => readonly Item[] | Promise<readonly Item[]>),
  place: Place,
  problemIn: (list: unknown) => string | undefined,
): Promise<readonly Item[]> {
  if (typeof given !== 'function') return rulesIn(given, place)
  const list = await callHook(services, option, () => given(place))
  const problem = problemIn(list)
  if (problem !== undefined) throw invalidHookResult(option, `an invalid value (it ${problem})`, 'a valid list')
  return rulesIn(list, place)
}
