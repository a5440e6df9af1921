import { createHash } from 'node:crypto'
import type { Author, Person } from '../../domain/change-request'
import { noUserId } from '../../domain/steps/caller-rules'
import { refusalFor } from '../../domain/steps/steps'
import type { Actor } from '../../ports/access'
import { describeValue, wrongAnswer } from '../hooks'
import type { Services } from '../services'

/**
 * Checks what `authenticate` of the host returned; null for an unknown caller.
 *
 * @throws UnknownError when it is no actor: a fault of the host, which the log describes.
 */
export function toActor(answer: unknown): Actor | null {
  // What `req.user` and `session.user && { ... }` are for a guest.
  if (!answer) return null
  if (typeof answer !== 'object' || Array.isArray(answer)) {
    // The text may be a key, so the log gets its type alone.
    const received = Array.isArray(answer) ? 'an array' : `a ${typeof answer}`
    throw wrongAnswer('authenticate', received, 'an object with an id, or null for nobody')
  }
  const { id, groups } = answer as { readonly id?: unknown; readonly groups?: unknown }
  if (id !== null && !(Number.isSafeInteger(id) && (id as number) > 0)) {
    throw wrongAnswer('authenticate', `the id ${describeValue(id)}`, 'a positive integer or null')
  }
  // A text would be searched for a part of it.
  if (groups != null && !(Array.isArray(groups) && groups.every((group) => typeof group === 'string'))) {
    throw wrongAnswer('authenticate', `the groups ${describeValue(groups)}`, 'a list of names, or left out')
  }
  return answer as Actor
}

/**
 * The person behind the call, as stored with what they do.
 *
 * @throws OperationDeniedError when the key stands for no real person (contract 2.3).
 */
export function requirePerson(actor: Actor, ip: string | undefined, { options }: Pick<Services, 'options'>): Author {
  const { id } = actor
  if (id === null) throw refusalFor(noUserId)
  return {
    person: toPerson({ ...actor, id }, options),
    ...signatureOf(actor, ip, options),
  }
}

/** The names of a person; empty texts count as absent. */
type Named = Pick<Actor, 'name' | 'email' | 'username' | 'imageUrl'> & { readonly id: number }

/** A person as every part of a change request shows them: clients compare the names (contract 5.2). */
export function toPerson(user: Named, options: Services['options']): Person {
  return {
    id: user.id,
    username: firstText(user.name, user.email, user.username) ?? null,
    imageUrl: firstText(user.imageUrl) ?? (options.gravatar ? gravatar(user) : null),
  }
}

/** The first text that is not blank. */
export function firstText(...texts: readonly (string | null | undefined)[]): string | undefined {
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '')
}

/** How the log names the caller, also for a key without a person (contract 8.3). */
export function signatureOf(actor: Actor, ip: string | undefined, options: Services['options']) {
  return {
    signature: firstText(actor.email, actor.username) ?? 'unknown',
    ip: options.recordIp ? (ip ?? null) : null,
  }
}

/** The address that clients of this interface know (contract 5.2); nothing is fetched. */
function gravatar({ email, username, id }: Named): string {
  const name = (firstText(email, username) ?? String(id)).trim().toLowerCase()
  const digest = createHash('sha256').update(name).digest('hex')
  return `https://gravatar.com/avatar/${digest}?s=42&d=retro&r=g`
}
