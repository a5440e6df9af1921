import type { Person } from './change-request'

/**
 * Who acts, as it is stored: the person for the change request, the signature for the log.
 *
 * @example
 * ```ts
 * const author: Author = { person: { id: 1, username: 'Ann Lee', imageUrl: null }, signature: 'ann@example.com', ip: null }
 * ```
 */
export interface Author {
  /** Whom change requests, votes and comments show. */
  readonly person: Person
  /** `createdBy` of the events: e-mail, else username, else `unknown` (contract 8.3). */
  readonly signature: string
  /** Null unless the host wants addresses in the log. */
  readonly ip: string | null
}
