import type { Person } from '../../domain/change-request'
import type { AuthorView, PersonView, ReviewerView, VoterView } from '../../generated/index'
import type { User } from '../../ports/users'
import type { HostServices } from '../host-services'
import { firstText, toPerson } from './author'

/** The name of a person without one, where null is not allowed. */
const nameless = 'unknown'

/** The users in the user directory; a missing one was deleted. Undefined without a directory. */
export interface People {
  readonly people: ReadonlyMap<number, Person> | undefined
}

/** A reviewer (contract 3.7), with the name that votes show; `email` is empty for a user without one. */
export function toReviewerView(user: User, options: HostServices['options']): ReviewerView {
  const { id, username, imageUrl } = toPerson(user, options)
  const email = firstText(user.email) ?? ''
  return { id, email, username: username ?? nameless, name: firstText(user.name) ?? null, imageUrl }
}

/** A person with the current name; null once the user directory no longer has the user (contract 5.2). */
export function toPersonView({ id, username, imageUrl, kind }: Person, { people }: People): PersonView {
  // The directory has no machines.
  if (people === undefined || kind !== undefined) return { id, username, imageUrl }
  return people.get(id) ?? { id, username: null, imageUrl }
}

/** A person or a machine, with the person for whom it acted (contract 23). */
export function toAuthorView(author: Person, described: People): AuthorView {
  const { kind = 'person', onBehalfOf } = author
  const principal = onBehalfOf && toPersonView({ ...onBehalfOf, imageUrl: null }, described)
  const { id, username, imageUrl } = toPersonView(author, described)
  const onBehalf = principal === undefined ? null : { id: principal.id, username: principal.username }
  return { id, username, imageUrl, kind, onBehalfOf: onBehalf }
}

/** A voter, whose name is never null: a deleted user keeps the last known name. */
export function toVoterView(voter: Person, { people }: People): VoterView {
  const { id, username, imageUrl } = (voter.kind === undefined && people?.get(voter.id)) || voter
  return { id, username: username ?? nameless, ...(imageUrl === null ? {} : { imageUrl }) }
}
