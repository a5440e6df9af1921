import type { PermissionElsewhere, StepPermission } from '../../domain/steps/facts'
import type { Question } from './question'
import type { Reach } from './reach'

/** Whether the actor has the permission in the environment of the change request; ADMIN is granted for the instance. */
export function hasPermission(permission: StepPermission, { holds, changeRequest }: Question): Promise<boolean> {
  const { project, environment } = changeRequest
  return holds(permission, permission === 'ADMIN' ? {} : { project, environment })
}

/** The other gated environments that the changes affect in which the actor lacks the permission. */
export async function lacksElsewhere(
  permission: PermissionElsewhere,
  { holds }: Question,
  { elsewhere }: Reach,
): Promise<readonly (string | undefined)[]> {
  const held = await Promise.all(elsewhere.map((scope) => holds(permission, scope)))
  return elsewhere.filter((_, index) => !held[index]).map(({ environment }) => environment)
}
