import { ChangeRequestError } from '../../errors'
import type { Actor } from '../../ports/access'
import { hasPermission } from '../host/permissions'
import type { HostServices } from '../host-services'

/** Of those named, or of all. Undefined: everything, which needs the permission for the instance (contract 9.4). */
export async function visibleProjects(
  services: HostServices,
  actor: Actor,
  named?: readonly string[],
): Promise<readonly string[] | undefined> {
  if (await hasPermission(services, actor, 'READ_EVENTS', {})) return named
  const projects = named ?? (await services.storage.projects())
  const readable = await Promise.all(
    projects.map((project) => hasPermission(services, actor, 'READ_EVENTS', { project })),
  )
  const visible = projects.filter((_, index) => readable[index])
  if (named === undefined || named.length === 0 || visible.length > 0) return visible
  const text = 'You need the permission READ_EVENTS in one of the projects.'
  throw new ChangeRequestError('PermissionError', text, { permissions: ['READ_EVENTS'] })
}

export async function canSeeActivity(services: HostServices, actor: Actor, project: string): Promise<boolean> {
  const held = await Promise.all([
    hasPermission(services, actor, 'READ_CHANGE_REQUEST', { project }),
    hasPermission(services, actor, 'READ_EVENTS', { project }),
    hasPermission(services, actor, 'READ_EVENTS', {}),
  ])
  return held.includes(true)
}
