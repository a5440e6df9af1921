import type { PermissionElsewhere, StepPermission } from '../../domain/steps/facts'
import type { FactContext } from './fact-context'
import type { Reach } from './reach'

/** Whether the actor has the permission in the environment of the change request; ADMIN is granted for the instance. */
export function hasStepPermission(
  permission: StepPermission,
  { hasPermission, changeRequest }: FactContext,
): Promise<boolean> {
  const { project, environment } = changeRequest
  return hasPermission(permission, permission === 'ADMIN' ? {} : { project, environment })
}

/** The other gated environments that the changes affect in which the actor lacks the permission. */
export async function lacksElsewhere(
  permission: PermissionElsewhere,
  { hasPermission }: FactContext,
  { elsewhere }: Reach,
): Promise<readonly (string | undefined)[]> {
  const held = await Promise.all(elsewhere.map((scope) => hasPermission(permission, scope)))
  return elsewhere.filter((_, index) => !held[index]).map(({ environment }) => environment)
}
