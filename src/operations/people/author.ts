import { createHash } from 'node:crypto'
import type { Author, Person } from '../../domain/change-request'
import { ChangeRequestError } from '../../errors'
import type { Actor } from '../../ports/access'
import { named, wrongAnswer } from '../runtime/call-hook'
import type { Services } from '../runtime/services'

/**
 * What `authenticate` of the host answered, as the caller; null for nobody.
 *
 * @throws UnknownError when it is something else: a fault of the host, which its log names.
 */
export function toActor(answer: unknown): Actor | null {
  // What `req.user` and `session.user && { ... }` are for a guest.
  if (!answer) return null
  if (typeof answer !== 'object' || Array.isArray(answer)) {
    // A text may be somebody's key: its type has to do.
    const came = Array.isArray(answer) ? 'an array' : `a ${typeof answer}`
    throw wrongAnswer('authenticate', came, 'an object with an id, or null for nobody')
  }
  const { id } = answer as { readonly id?: unknown }
  if (id === null || (Number.isSafeInteger(id) && (id as number) > 0)) return answer as Actor
  throw wrongAnswer('authenticate', `the id ${named(id)}`, 'a positive integer or null')
}

/**
 * The person behind the call, as stored with what they do.
 *
 * @throws OperationDeniedError when the key stands for no real person (contract 2.3).
 */
export function requirePerson(actor: Actor, ip: string | undefined, { settings }: Pick<Services, 'settings'>): Author {
  const { id } = actor
  if (id === null) {
    throw new ChangeRequestError(
      'OperationDeniedError',
      'This key stands for no person. Change requests need one: use the key of a user.',
    )
  }
  return {
    person: toPerson({ ...actor, id }, settings),
    ...signatureOf(actor, ip, settings),
  }
}

/** What people of the host are called; empty texts count as absent. */
type Named = Pick<Actor, 'name' | 'email' | 'username' | 'imageUrl'> & { readonly id: number }

/** A person as change requests show one, in whatever part: clients compare the names (contract 5.2). */
export function toPerson(user: Named, settings: Services['settings']): Person {
  return {
    id: user.id,
    username: firstText(user.name, user.email, user.username) ?? null,
    imageUrl: firstText(user.imageUrl) ?? (settings.gravatar ? gravatar(user) : null),
  }
}

/** The first text that is not blank. */
export function firstText(...texts: readonly (string | null | undefined)[]): string | undefined {
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '')
}

/** How the log names whoever acts, a key without a person included (contract 8.3). */
export function signatureOf(actor: Actor, ip: string | undefined, settings: Services['settings']) {
  return {
    signature: firstText(actor.email, actor.username) ?? 'unknown',
    ip: settings.recordIp ? (ip ?? null) : null,
  }
}

/** The address that clients of this interface know (contract 5.2); nothing is fetched. */
function gravatar({ email, username, id }: Named): string {
  const name = (firstText(email, username) ?? String(id)).trim().toLowerCase()
  const digest = createHash('sha256').update(name).digest('hex')
  return `https://gravatar.com/avatar/${digest}?s=42&d=retro&r=g`
}
