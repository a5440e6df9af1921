import type { Person } from './change-request'

/** Who acts, as the domain needs it: the person for the change request, the signature for the log. */
export interface Author {
  readonly person: Person
  /** `createdBy` of the events: e-mail, else username, else `unknown` (contract 8.3). */
  readonly signature: string
  /** Null unless the host wants addresses in the log. */
  readonly ip: string | null
}
