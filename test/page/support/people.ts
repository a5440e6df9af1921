import type { Request } from 'express'
import type { Actor } from '../../../src'

const projectAndPlace = { project: 'default' }

/** The users: Ann proposes, Ben approves and applies, Cara is an admin, Dan owns payments, Eve only reads. */
export const people = {
  ann: person(1, 'Ann Lee', ['shop'], ['CREATE_CHANGE_REQUEST', 'READ_EVENTS']),
  ben: person(2, 'Ben Ode', ['shop'], ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'READ_EVENTS']),
  cara: person(3, 'Cara Mori', [], ['ADMIN']),
  dan: person(4, 'Dan Roe', ['payments'], ['APPROVE_CHANGE_REQUEST', 'READ_EVENTS']),
  eve: person(5, 'Eve Sand', [], ['READ_CHANGE_REQUEST']),
  // A user has at most one open change request in an environment.
  fay: person(6, 'Fay Holt', [], ['CREATE_CHANGE_REQUEST']),
  gus: person(7, 'Gus Park', [], ['CREATE_CHANGE_REQUEST']),
  hal: person(8, 'Hal Quist', [], ['CREATE_CHANGE_REQUEST']),
  ida: person(9, 'Ida Berg', [], ['CREATE_CHANGE_REQUEST']),
  jon: person(10, 'Jon Vale', [], ['CREATE_CHANGE_REQUEST']),
  kim: person(11, 'Kim Tran', [], ['CREATE_CHANGE_REQUEST']),
  lou: person(12, 'Lou Weiss', [], ['CREATE_CHANGE_REQUEST']),
  mia: person(13, 'Mia Xu', [], ['CREATE_CHANGE_REQUEST']),
  lea: person(16, 'Lea Noor', [], ['CREATE_CHANGE_REQUEST']),
  noa: person(14, 'Noa Zed', [], ['CREATE_CHANGE_REQUEST']),
  bot: {
    ...person(20, 'Deploy Bot', [], ['CREATE_CHANGE_REQUEST', 'READ_EVENTS']),
    kind: 'service',
    onBehalfOf: { id: 1, username: 'ann' },
  },
  // Can read the events of one project only.
  pia: { ...person(15, 'Pia Wolf', [], []), grants: [{ permission: 'READ_EVENTS', project: 'default' }] as never },
} satisfies Record<string, Person>

export type PersonName = keyof typeof people

type Person = Actor & { readonly id: number; readonly key: string }

function person(id: number, name: string, groups: readonly string[], permissions: readonly string[]): Person {
  const username = name.split(' ', 1).join('').toLowerCase()
  return {
    id,
    username,
    name,
    email: `${username}@example.com`,
    groups,
    grants: permissions.map((permission) => ({
      permission,
      ...(permission === 'ADMIN' ? {} : projectAndPlace),
    })) as never,
    key: `key-of-${username}-0123456789`,
  }
}

/** The users who can approve in project default. */
export const reviewers = [people.ben, people.cara, people.dan]

/** The sessions of a host: a key, or a cookie like that of a sign-in of the host. */
export function createSessions() {
  const ended = new Set<PersonName>()
  const taken = new Map<PersonName, string>()
  return {
    authenticate(req: Request): Actor | null {
      const { authorization = '', cookie = '' } = req.headers
      const found = Object.entries(people).find(
        ([name, { key }]) => authorization === key || cookie === `person=${name}`,
      )
      if (found === undefined || ended.has(found[0] as PersonName)) return null
      const [name, person] = found
      const grants = person.grants?.filter(({ permission }) => permission !== taken.get(name as PersonName))
      return { ...person, grants: grants ?? [] }
    },
    /** Signs a user out everywhere. */
    endSession: (who: PersonName) => void ended.add(who),
    beginSession: (who: PersonName) => void ended.delete(who),
    /** Removes a permission of a user. */
    take: (who: PersonName, permission: string) => void taken.set(who, permission),
  }
}
