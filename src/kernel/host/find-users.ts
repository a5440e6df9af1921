import type { ChangeRequest, Person } from '../../domain/change-request'
import type { User } from '../../ports/users'
import type { HostServices } from '../host-services'
import { toPerson } from './author'
import { callHook } from './hooks'

type Directory = Pick<HostServices, 'users' | 'options'>

/** The users who exist in the host app, by id; undefined without a user directory. */
export async function findUsers(
  services: Directory,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, User> | undefined> {
  const { users } = services
  const wanted = [...new Set(ids)]
  if (users === null) return undefined
  if (wanted.length === 0) return new Map()
  const known = await callHook(services, 'users.find', () => users.find(wanted))
  return new Map([...known].map((user) => [user.id, user]))
}

export async function findPeople(
  services: Directory,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Person> | undefined> {
  const users = await findUsers(services, ids)
  return users && new Map([...users].map(([id, user]) => [id, toPerson(user, services.options)]))
}

export async function reviewersThroughout(
  services: Directory,
  project: string,
  environments: readonly string[],
): Promise<User[]> {
  const byEnvironment = environments.map((environment) => availableReviewers(services, project, environment))
  const [first = [], ...others] = await Promise.all(byEnvironment)
  const ids = others.map((users) => new Set(users.map(({ id }) => id)))
  return first.filter(({ id }) => ids.every((known) => known.has(id)))
}

/** The users who can approve in the project and environment; none without a user directory. */
export async function availableReviewers(services: Directory, project: string, environment: string): Promise<User[]> {
  const { users } = services
  if (users === null) return []
  const found = await callHook(services, 'users.reviewers', () => users.reviewers(project, environment))
  return [...found].filter(isPerson)
}

/** Machines do not review. */
export function isPerson({ kind }: Pick<User, 'kind'>): boolean {
  return kind == null || kind === 'person'
}

/** True if the directory no longer knows a person. It does not know machines. */
export async function isDeleted(services: Directory, { id, kind }: Person): Promise<boolean> {
  if (kind !== undefined) return false
  const known = await findUsers(services, [id])
  return known?.has(id) === false
}

/** The user who scheduled it; undefined for a machine, which the directory does not know. */
export function schedulerIn(scheduling: ChangeRequest['scheduling']): number | undefined {
  const { id, kind } = scheduling?.by.person ?? {}
  return kind === undefined ? id : undefined
}

/** The ids that the user directory may know: those of people, also of the people for whom machines act. */
export function* idsInDirectory(people: Iterable<Person>): Generator<number> {
  for (const { id, kind, onBehalfOf } of people) {
    if (kind === undefined) yield id
    if (onBehalfOf !== undefined) yield onBehalfOf.id
  }
}
