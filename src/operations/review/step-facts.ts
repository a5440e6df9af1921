import type { ChangeRequest } from '../../domain/change-request'
import { findOverwrites, listOverwrites } from '../../domain/diff/overwrites'
import { findConflicts, listConflicts } from '../../domain/flags/conflicts'
import { permissionsFor, type Step } from '../../domain/steps'
import type { StepFacts, StepOptions, StepPermission } from '../../domain/steps/facts'
import type { Actor } from '../../ports/access'
import type { Outlook } from '../flags/flag-state'
import { holds } from '../runtime/permissions'
import type { Services } from '../runtime/services'
import { type Policy, policyFacts } from './policy'

/** What hooks and options say about these steps, but for what depends on the present flags. */
export async function gatherFacts(
  services: Services,
  actor: Actor,
  { project, environment }: Pick<ChangeRequest, 'project' | 'environment'>,
  ...steps: readonly Step[]
): Promise<StepFacts> {
  const options = stepOptions(services)
  const permissions = permissionsFor(options, ...steps)
  const scopeOf = (permission: StepPermission) => (permission === 'ADMIN' ? {} : { project, environment })
  const asked = permissions.map((permission) => holds(services, actor, permission, scopeOf(permission)))
  const granted = await Promise.all(asked)
  const held = new Set(permissions.filter((_, index) => granted[index]))
  return { caller: { id: actor.id, held }, options }
}

/** The options that the rules of the steps depend on. */
function stepOptions({ settings, flags }: Services): StepOptions {
  return {
    adminSelfApproval: settings.adminSelfApproval,
    detailsByAnyone: settings.editDetails === 'anyone',
    scheduler: settings.schedule !== 'off',
    emergency: settings.emergency,
    overwrites: settings.overwrites === 'allow',
    carriesOut: flags !== null || settings.recordOnly,
    knowsOutcome: flags?.outcome !== undefined,
  }
}

/** What the present flags and the policy of the host mean for the steps. */
export function outlookFacts(changeRequest: ChangeRequest, { before, digest }: Outlook, policy: Policy) {
  const conflicts = before === undefined ? [] : listConflicts(findConflicts(changeRequest, before))
  const overwrites = listOverwrites(changeRequest, findOverwrites(changeRequest, before))
  return { digest, conflicts, overwrites, ...policyFacts(policy, changeRequest, before) } satisfies Partial<StepFacts>
}
