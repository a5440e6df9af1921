import type { ReviewListItemView } from '../../../generated'
import { currentUser, followSession } from '../core/api/session'
import { createStore } from '../core/tools/store'

/** A list of change requests that the viewer goes through, as the inbox showed it last. */
export interface Walk {
  readonly key: string
  /** Its address, below the mount. */
  readonly path: string
  /** Those that need the viewer. */
  readonly isMine: boolean
  /** In the order on the screen. */
  readonly rows: readonly ReviewListItemView[]
}

let walk: Walk | undefined

export const currentWalk = (): Walk | undefined => walk

/** What became of the change requests that the viewer decided since the list was read, by id. */
export const decided = createStore<ReadonlyMap<number, string>>(new Map())

/** Another list, or the same one read again by the viewer, shows what was decided as all others. */
export function startWalk(next: Walk | undefined): void {
  if (decided.get().size > 0) decided.set(new Map())
  walk = next
}

/** The rows on the screen, and what the viewer decided stays among them. */
export function keepWalk(next: Walk): void {
  if (next.key === walk?.key) walk = next
  else startWalk(next)
}

// Another user may lack the permission to see them.
let user = currentUser()
followSession(({ me }) => {
  if (me?.id !== user) startWalk(undefined)
  user = me?.id
})
