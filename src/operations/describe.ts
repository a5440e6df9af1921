import type { ChangeRequest, Person } from '../domain/change-request'
import { type Conflicts, findConflicts, noConflicts } from '../domain/conflicts'
import { findDefaultChanges } from '../domain/default-changes'
import type { DefaultChange } from '../domain/flag-state'
import { closedStates } from '../domain/lifecycle'
import type { StoredChangeRequest } from '../ports/storage'
import { toPerson } from './author'
import { callHook } from './call-hook'
import { presentFlags } from './flag-state'
import type { Services } from './services'

/** A change request with all that is worked out on read (contract 5.2, 5.5, 5.6). */
export interface Described extends StoredChangeRequest {
  readonly conflicts: Conflicts
  readonly defaultChanges: ReadonlyMap<string, DefaultChange>
  /** The present names of segments, where a flag gateway tells them. */
  readonly segmentNames: ReadonlyMap<number, string>
  /** The people as the user directory knows them; a missing one is gone. Undefined without a directory. */
  readonly people: ReadonlyMap<number, Person> | undefined
}

/** One change request, described. */
export async function describeOne(services: Services, stored: StoredChangeRequest): Promise<Described> {
  const [described] = await describeAll(services, [stored])
  if (described === undefined) throw new Error('A change request got lost on its way.')
  return described
}

/** Change requests in their order; the gateway is asked once for each project and environment. */
export async function describeAll(services: Services, stored: readonly StoredChangeRequest[]): Promise<Described[]> {
  const people = await findPeople(services, stored)
  const places = new Map<string, ChangeRequest[]>()
  for (const { changeRequest } of stored) {
    if (closedStates.includes(changeRequest.state)) continue
    const group = places.get(placeOf(changeRequest))
    if (group) group.push(changeRequest)
    else places.set(placeOf(changeRequest), [changeRequest])
  }
  const states = new Map(
    await Promise.all([...places].map(async ([place, group]) => [place, await presentFlags(services, group)] as const)),
  )
  return stored.map((one) => {
    const state = closedStates.includes(one.changeRequest.state) ? undefined : states.get(placeOf(one.changeRequest))
    return {
      ...one,
      conflicts: state === undefined ? noConflicts : findConflicts(one.changeRequest, state),
      defaultChanges: state === undefined ? new Map() : findDefaultChanges(one.changeRequest, state),
      segmentNames: new Map([...(state?.segments ?? [])].map(([id, { name }]) => [id, name])),
      people,
    }
  })
}

function placeOf({ project, environment }: ChangeRequest): string {
  return `${project}/${environment}`
}

async function findPeople(services: Services, stored: readonly StoredChangeRequest[]) {
  const { users, settings } = services
  if (users === null) return undefined
  const ids = new Set<number>()
  for (const { changeRequest } of stored) {
    const { createdBy, approvals, rejections, comments, changes } = changeRequest
    ids.add(createdBy.id)
    for (const { createdBy: person } of [...approvals, ...rejections, ...comments, ...changes]) ids.add(person.id)
  }
  if (ids.size === 0) return new Map<number, Person>()
  const known = await callHook(services, 'users.find', () => users.find([...ids]))
  return new Map([...known].map((user) => [user.id, toPerson(user, settings)]))
}
