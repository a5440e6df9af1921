import type { ChangeRequestPlace } from '../../../client'
import type { ReviewView } from '../../../generated'
import { client } from '../core/api/session'
import { type TargetItem, toTargets } from '../words/content/items'

/** What a closed change request did. */
export interface Closed extends Pick<ReviewView, 'votes' | 'ended'> {
  readonly targets: readonly TargetItem[]
}

/** Reads it. The review of a closed change request has no fields: its change request has what was sent and replaced. */
export async function readClosed(place: ChangeRequestPlace): Promise<Closed> {
  const { changeRequest, votes, ended } = (await client.review(place)).body
  return { targets: toTargets([], changeRequest), votes, ended }
}
