import { affectsProject } from '../../domain/actions/table'
import type { NewChange } from '../../domain/change-request'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import { problemInFreezes } from '../../domain/freezes/check-freezes'
import { hasEnded, type PlacedFreeze, placedFreezes } from '../../domain/freezes/freeze'
import { byInstant } from '../../domain/instants'
import type { Place } from '../../domain/rules/condition'
import type { Scope } from '../../ports/access'
import { listOfHost } from '../host/host-lists'
import { gatedEnvironments } from '../host/settings'
import { type HostServices, now } from '../host-services'

/** Where a change request must be approved: in its environment, and in all gated ones that its changes affect (contract 18). */
export interface Reach {
  /** Its own environment first. */
  readonly environments: readonly string[]
  /** The other places where permissions are checked. The whole project stands for unnamed environments. */
  readonly elsewhere: readonly (Scope & { readonly project: string })[]
  /** The highest minimum of all gated environments; undefined if only the own environment is affected. */
  readonly gatedMinimum: number | undefined
}

export async function reachOf(
  services: HostServices,
  { project, environment, changes }: Place & { readonly changes: readonly Pick<NewChange, 'action'>[] },
): Promise<Reach> {
  return reachOfScope(services, { project, environment }, affectsProject(changes) ? 'project' : 'environment')
}

export async function reachOfScope(
  services: HostServices,
  { project, environment: own }: Place,
  scope: ChangeRequestSummary['scope'],
): Promise<Reach> {
  if (scope === 'environment') return { environments: [own], elsewhere: [], gatedMinimum: undefined }
  const { gated } = await gatedEnvironments(services, project, own)
  const others = gated.filter(({ environment }) => environment !== own)
  return {
    environments: [own, ...others.flatMap(({ environment }) => environment ?? [])],
    elsewhere: others.map(({ environment }) => ({ project, ...(environment !== undefined && { environment }) })),
    gatedMinimum: Math.max(0, ...gated.map(({ requiredApprovals }) => requiredApprovals)),
  }
}

type FreezeServices = Pick<HostServices, 'freezes' | 'options'>

/** All freezes of the project and environment, before they are matched with changes or times. */
export async function freezesOf(services: FreezeServices, place: Place): Promise<readonly PlacedFreeze[]> {
  return placedFreezes(await listOfHost(services, 'freezes', services.freezes, place, problemInFreezes), place)
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
