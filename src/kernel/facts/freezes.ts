import type { Place } from '../../domain/approval/approval-rule'
import { problemInFreezes } from '../../domain/freezes/check-freezes'
import { freezesIn, hasEnded, type PlacedFreeze } from '../../domain/freezes/freeze'
import { byInstant } from '../../domain/instants'
import { callHook, invalidHookResult } from '../host/hooks'
import { type HostServices, now } from '../host-services'
import type { Reach } from './reach'

type FreezeServices = Pick<HostServices, 'freezes' | 'options'>

/** All freezes of the project and environment, before they are matched with changes or times. */
export async function freezesOf(services: FreezeServices, place: Place): Promise<readonly PlacedFreeze[]> {
  const { freezes } = services
  if (typeof freezes !== 'function') return freezesIn(freezes, place)
  const answer = await callHook(services, 'freezes', () => freezes(place))
  const problem = problemInFreezes(answer)
  if (problem !== undefined) throw invalidHookResult('freezes', `an invalid value (it ${problem})`, 'a list of freezes')
  return freezesIn(answer, place)
}

export async function listFreezes(
  services: FreezeServices & Pick<HostServices, 'clock'>,
  place: Place,
): Promise<readonly PlacedFreeze[]> {
  const at = now(services)
  const freezes = await freezesOf(services, place)
  return freezes.filter((freeze) => !hasEnded(freeze, at)).sort((one, other) => byInstant(one.from, other.from))
}

export async function freezesThroughout(
  services: FreezeServices,
  project: string,
  { environments }: Pick<Reach, 'environments'>,
): Promise<readonly PlacedFreeze[]> {
  const found = environments.map((environment) => freezesOf(services, { project, environment }))
  return (await Promise.all(found)).flat()
}
