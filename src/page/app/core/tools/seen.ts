import type { ChangeRequestPlace } from '../../../../client'
import type { ReviewView } from '../../../../generated'
import type { Digests } from '../../words/content/since'

/** What a user saw of a change request. */
export interface Seen {
  /** When it was last on the screen: UTC, ISO 8601. */
  readonly at: string
  readonly changes: Digests
  /** The changes that the user marked as viewed, as they were then. */
  readonly viewed: Digests
}

/** Limits for each user; the oldest change requests are dropped. */
const maxRequests = 100
const maxCharacters = 200_000

/** The digests of the changes, shortened to keep many. */
export function digestsOf({ changes }: Pick<ReviewView, 'changes'>): Digests {
  return Object.fromEntries(changes.map(({ id, digest }) => [id, digest.slice(7, 23)]))
}

/** What this user saw in this browser; undefined if nothing is known. */
export function readSeen(user: number, place: ChangeRequestPlace): Seen | undefined {
  return readAll(user).get(keyOf(place))
}

export function keepSeen(user: number, place: ChangeRequestPlace, seen: Seen): void {
  const all = readAll(user)
  all.delete(keyOf(place))
  all.set(keyOf(place), seen)
  const kept = [...all].slice(-maxRequests)
  while (JSON.stringify(kept).length > maxCharacters) kept.shift()
  try {
    localStorage.setItem(itemOf(user), JSON.stringify(kept))
  } catch {
    // A full or forbidden storage: it is known until the screen is left.
  }
}

const itemOf = (user: number) => `ecr-seen:${user}`
const keyOf = ({ project, id }: ChangeRequestPlace) => `${project} ${id}`

/** By change request, the oldest first. */
function readAll(user: number): Map<string, Seen> {
  try {
    return new Map(JSON.parse(localStorage.getItem(itemOf(user)) ?? '[]'))
  } catch {
    return new Map()
  }
}
