import { systemUserId } from '../../domain/events/events'
import { firstText } from '../../kernel/host/author'
import { findUsers } from '../../kernel/host/find-users'
import type { Services } from '../../kernel/services'
import { visibleProjects } from '../../kernel/view/event-visibility'
import type { Actor } from '../../ports/access'

/** Ids that belong to no user (contract 8.3). */
const builtIn = new Map([
  [systemUserId, 'unleash_system_user'],
  [-42, 'unleash_admin_token'],
])

/** The creators of the events that the caller can read, by id (contract 9.5). */
export async function listEventCreators(services: Services, actor: Actor) {
  const creators = await services.storage.eventCreators(await visibleProjects(services, actor))
  const ids = creators.filter(({ id, kind }) => id > 0 && kind === undefined).map(({ id }) => id)
  const people = await findUsers(services, ids)
  return creators.map(({ id, createdBy }) => {
    const user = people?.get(id)
    const name = builtIn.get(id) ?? firstText(user?.name, createdBy, user?.username, user?.email)
    return { id, name: name ?? 'unknown' }
  })
}
