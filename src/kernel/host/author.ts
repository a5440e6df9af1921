import { hash } from 'node:crypto'
import type { Author, Machine, Person } from '../../domain/change-request'
import { noUserId } from '../../domain/steps/caller-rules'
import { stepError } from '../../domain/steps/steps'
import { type Actor, problemOfKind } from '../../ports/access'
import type { HostServices } from '../host-services'
import { describeValue, invalidHookResult } from './hooks'

/** Checks the result of `authenticate`; null for an unknown caller. */
export function toActor(answer: unknown): Actor | null {
  // For a guest, `req.user` and `session.user && { ... }` are falsy.
  if (!answer) return null
  if (typeof answer !== 'object' || Array.isArray(answer)) {
    // The text may be an API key, so only its type is logged.
    const received = Array.isArray(answer) ? 'an array' : `a ${typeof answer}`
    throw invalidHookResult('authenticate', received, 'an object with an id, or null for an unknown caller')
  }
  const { id, groups } = answer as { readonly id?: unknown; readonly groups?: unknown }
  if (id !== null && !(Number.isSafeInteger(id) && (id as number) > 0)) {
    throw invalidHookResult('authenticate', `the id ${describeValue(id)}`, 'a positive integer or null')
  }
  // In a string, `includes` would match a part of it.
  if (groups != null && !(Array.isArray(groups) && groups.every((group) => typeof group === 'string'))) {
    throw invalidHookResult('authenticate', `the groups ${describeValue(groups)}`, 'a list of names, or left out')
  }
  const problem = problemOfKind(answer)
  if (problem !== undefined) {
    const { property, value, expected } = problem
    throw invalidHookResult('authenticate', `the ${property} ${describeValue(value)}`, expected)
  }
  return answer as Actor
}

/** A key without a user id writes nothing, so it is no machine. */
export function kindOf({ id, kind }: Pick<Actor, 'id' | 'kind'>): NonNullable<Actor['kind']> {
  return id === null ? 'person' : (kind ?? 'person')
}

const maxNameLength = 200

/** What is stored about a machine; empty for a person. */
export function machineOf(actor: Actor): Machine {
  const kind = kindOf(actor)
  if (kind === 'person') return {}
  const { onBehalfOf } = actor
  if (onBehalfOf == null) return { kind }
  const name = firstText(onBehalfOf.username)
  const username = name ? [...name].slice(0, maxNameLength).join('') : null
  return { kind, onBehalfOf: { id: onBehalfOf.id, username } }
}

/** The author of the call, as stored with its writes. */
export function requirePerson(
  actor: Actor,
  ip: string | undefined,
  { options }: Pick<HostServices, 'options'>,
): Author {
  const { id } = actor
  if (id === null) throw stepError(noUserId)
  return {
    person: { ...toPerson({ ...actor, id }, options), ...machineOf(actor) },
    ...signatureOf(actor, ip, options),
  }
}

type Named = Pick<Actor, 'name' | 'email' | 'username' | 'imageUrl'> & { readonly id: number }

/** A person, the same in every part of a change request, because clients compare the names (contract 5.2). */
export function toPerson(user: Named, options: HostServices['options']): Person {
  return {
    id: user.id,
    username: firstText(user.name, user.email, user.username) ?? null,
    imageUrl: firstText(user.imageUrl) ?? (options.gravatar ? gravatar(user) : null),
  }
}

export function firstText(...texts: readonly (string | null | undefined)[]): string | undefined {
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '')
}

/** How the log names the caller, including API keys without a user id (contract 8.3). */
export function signatureOf(actor: Actor, ip: string | undefined, options: HostServices['options']) {
  return {
    signature: firstText(actor.email, actor.username) ?? 'unknown',
    ip: options.recordIp ? (ip ?? null) : null,
  }
}

/** The URL that existing clients expect (contract 5.2); nothing is fetched. */
function gravatar({ email, username, id }: Named): string {
  const name = (firstText(email, username) ?? String(id)).trim().toLowerCase()
  const digest = hash('sha256', name, 'hex')
  return `https://gravatar.com/avatar/${digest}?s=42&d=retro&r=g`
}
