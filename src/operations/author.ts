import { createHash } from 'node:crypto'
import type { Author } from '../domain/author'
import { ChangeRequestError } from '../errors'
import type { Actor } from '../ports/access'
import type { Services } from './services'

/**
 * The person behind the call, as stored with what they do.
 *
 * @throws OperationDeniedError when the key stands for no real person (contract 2.3).
 */
export function requirePerson(actor: Actor, ip: string | undefined, { settings }: Pick<Services, 'settings'>): Author {
  const { id } = actor
  if (id === null || !Number.isSafeInteger(id) || id <= 0) {
    throw new ChangeRequestError(
      'OperationDeniedError',
      'This key stands for no person. Change requests need one: use the key of a user.',
    )
  }
  return {
    person: {
      id,
      username: actor.name ?? actor.email ?? actor.username ?? null,
      imageUrl: actor.imageUrl ?? (settings.gravatar ? gravatar(actor) : null),
    },
    signature: actor.email ?? actor.username ?? 'unknown',
    ip: settings.recordIp ? (ip ?? null) : null,
  }
}

/** The address that clients of this interface know (contract 5.2); nothing is fetched. */
function gravatar({ email, username, id }: Actor): string {
  const name = (email ?? username ?? String(id)).trim().toLowerCase()
  const digest = createHash('sha256').update(name).digest('hex')
  return `https://gravatar.com/avatar/${digest}?s=42&d=retro&r=g`
}
