import type { Actor } from '../../ports/access'
import type { UserDirectory } from '../../ports/users'

/** A user of the demo. */
export interface DemoPerson extends Actor {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly groups: readonly string[]
  /** For the list of links. */
  readonly role: string
}

const grantsOf = (...permissions: readonly string[]) => permissions.map((permission) => ({ permission }))

export const ann: DemoPerson = {
  id: 1,
  username: 'ann',
  name: 'Ann Lee',
  groups: ['shop'],
  role: 'proposes and reviews',
  grants: grantsOf('CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'READ_EVENTS'),
}
export const ben: DemoPerson = {
  id: 2,
  username: 'ben',
  name: 'Ben Ode',
  groups: ['shop'],
  role: 'reviews and applies',
  grants: grantsOf('APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'READ_EVENTS'),
}
export const cara: DemoPerson = {
  id: 3,
  username: 'cara',
  name: 'Cara Diaz',
  groups: [],
  role: 'administrator',
  grants: grantsOf('ADMIN'),
}
export const dan: DemoPerson = {
  id: 4,
  username: 'dan',
  name: 'Dan Roy',
  groups: ['payments'],
  role: 'owns payments',
  grants: grantsOf('CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'READ_EVENTS'),
}

export const people: readonly DemoPerson[] = [ann, ben, cara, dan]

/** Everyone in the demo can approve, so everyone can be requested as an approver. */
export const users: UserDirectory = {
  find: (ids) => people.filter(({ id }) => ids.includes(id)),
  reviewers: () => people,
}
