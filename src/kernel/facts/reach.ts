import { affectsProject } from '../../domain/actions/table'
import type { ChangeRequest, NewChange } from '../../domain/change-request'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import type { Scope } from '../../ports/access'
import { gatedEnvironments } from '../host/settings'
import type { HostServices } from '../host-services'

/** Where a change request must be approved: in its environment, and in all gated ones that its changes affect (contract 18). */
export interface Reach {
  /** Its own environment first. */
  readonly environments: readonly string[]
  /** The other places where permissions are checked. The whole project stands for unnamed environments. */
  readonly elsewhere: readonly (Scope & { readonly project: string })[]
  /** The highest minimum of all gated environments; undefined if only the own environment is affected. */
  readonly gatedMinimum: number | undefined
}

type Placed = Pick<ChangeRequest, 'project' | 'environment'>

export async function reachOf(
  services: HostServices,
  { project, environment, changes }: Placed & { readonly changes: readonly Pick<NewChange, 'action'>[] },
): Promise<Reach> {
  return reachOfScope(services, { project, environment }, affectsProject(changes) ? 'project' : 'environment')
}

export async function reachOfScope(
  services: HostServices,
  { project, environment: own }: Placed,
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
