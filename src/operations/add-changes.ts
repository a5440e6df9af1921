import type { NewChange } from '../domain/change-request'
import { createChangeRequest, addChanges as decideAdd } from '../domain/changes'
import { ChangeRequestError } from '../errors'
import type { Actor } from '../ports/access'
import type { StoredChangeRequest } from '../ports/storage'
import { requirePerson } from './author'
import { checkIfMatch } from './entity-tag'
import { now, type Services } from './services'

export interface AddChanges {
  readonly actor: Actor
  readonly ip: string | undefined
  readonly project: string
  readonly environment: string
  readonly changes: readonly NewChange[]
  readonly ifMatch: string | undefined
}

/** Puts changes into the caller's open change request of the project and environment, else into a new one (3.3). */
export async function addChanges(services: Services, input: AddChanges): Promise<StoredChangeRequest> {
  const { storage, writer, settings } = services
  const { project, environment, changes } = input
  const author = requirePerson(input.actor, input.ip, services)
  const key = { project, environment, userId: author.person.id }
  const obstacle = await findObstacle(services, project, changes)
  return writer.write(JSON.stringify(key), () => storage.findOpen(key), {
    changeIds: changes.length,
    decide(current, ids) {
      checkIfMatch(input.ifMatch, current)
      if (obstacle !== undefined) throw obstacle
      const proposal = {
        changes,
        changeIds: ids.changes,
        author,
        now: now(services),
        maxChanges: settings.changesPerChangeRequest,
      }
      if (current !== undefined) return decideAdd(current.changeRequest, proposal)
      const fresh = { id: ids.changeRequest, project, environment, minApprovals: settings.requiredApprovals }
      return createChangeRequest(fresh, proposal)
    },
  })
}

/** What stands against any change here, whatever the change request holds; asked once, answered after If-Match. */
async function findObstacle(
  { settings, directory }: Services,
  project: string,
  changes: readonly NewChange[],
): Promise<ChangeRequestError | undefined> {
  if (!settings.changeRequestsEnabled) {
    return new ChangeRequestError('BadDataError', 'Change requests are switched off in this project and environment.')
  }
  const features = [...new Set(changes.flatMap(({ feature }) => feature ?? []))]
  if (features.length === 0 || directory.knownFeatures === undefined) return undefined
  const known = new Set(await directory.knownFeatures(project, features))
  const unknown = features.filter((feature) => !known.has(feature))
  if (unknown.length === 0) return undefined
  return new ChangeRequestError('NotFoundError', `The project has no flag named ${unknown.join(', ')}.`)
}
