import type { ChangeRequest } from '../../domain/change-request'
import { findOverwrites, listOverwrites } from '../../domain/diff/overwrites'
import { findConflicts, listConflicts } from '../../domain/flags/conflicts'
import { listForeignSegments } from '../../domain/steps/content-rules'
import type { LackedPermission, StepFacts, StepOptions, StepPermission } from '../../domain/steps/facts'
import { permissionsFor, type Step } from '../../domain/steps/steps'
import type { Actor } from '../../ports/access'
import type { Outlook } from '../flags/flag-state'
import { holds } from '../permissions'
import type { Services } from '../services'
import { type Policy, policyFacts } from './policy'
import { reachOf } from './reach'

/** What hooks and options say about these steps, but for what depends on the present flags. */
export async function gatherFacts(
  services: Services,
  actor: Actor,
  place: Pick<ChangeRequest, 'project' | 'environment' | 'changes'>,
  ...steps: readonly Step[]
): Promise<StepFacts> {
  const { project, environment } = place
  const options = stepOptions(services)
  const permissions = permissionsFor(options, ...steps)
  const scopeOf = (permission: StepPermission) => (permission === 'ADMIN' ? {} : { project, environment })
  const asked = permissions.map((permission) => holds(services, actor, permission, scopeOf(permission)))
  const [granted, lacking] = await Promise.all([Promise.all(asked), findLacking(services, actor, place, permissions)])
  const held = new Set(permissions.filter((_, index) => granted[index]))
  return { caller: { id: actor.id, held, ...(lacking.length > 0 && { lacking }) }, options }
}

/** These are needed in every environment that the changes affect. */
const neededThroughout: readonly StepPermission[] = [
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
]

/** What the actor lacks in other environments than that of the change request. */
async function findLacking(
  services: Services,
  actor: Actor,
  place: Pick<ChangeRequest, 'project' | 'environment' | 'changes'>,
  permissions: readonly StepPermission[],
): Promise<readonly LackedPermission[]> {
  const needed = permissions.filter((permission) => neededThroughout.includes(permission))
  if (needed.length === 0) return []
  const { elsewhere } = await reachOf(services, place)
  const asked = needed.flatMap((permission) =>
    elsewhere.map(
      async (scope): Promise<LackedPermission | []> =>
        (await holds(services, actor, permission, scope)) ? [] : { permission, environment: scope.environment },
    ),
  )
  return (await Promise.all(asked)).flat()
}

/** The options that the rules of the steps depend on. */
function stepOptions({ options, flags }: Services): StepOptions {
  return {
    adminSelfApproval: options.adminSelfApproval,
    detailsByAnyone: options.editDetails === 'anyone',
    scheduler: options.schedule !== 'off',
    emergency: options.emergency,
    overwrites: options.overwrites === 'allow',
    carriesOut: flags !== null || options.recordOnly,
    knowsOutcome: flags?.outcome !== undefined,
    globalSegments: options.globalSegments,
  }
}

/** What the present flags and the policy of the host mean for the steps. */
export function outlookFacts(changeRequest: ChangeRequest, { before, digest }: Outlook, policy: Policy) {
  const conflicts = before === undefined ? [] : listConflicts(findConflicts(changeRequest, before))
  const overwrites = listOverwrites(changeRequest, findOverwrites(changeRequest, before))
  const foreignSegments = listForeignSegments(changeRequest, before)
  const needed = policyFacts(policy, changeRequest, before)
  return { digest, conflicts, overwrites, foreignSegments, ...needed } satisfies Partial<StepFacts>
}
