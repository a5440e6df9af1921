import type { ChangeRequestPlace } from '../../../client'
import type { EventView, VoterView } from '../../../generated'
import { client } from '../core/api/session'
import { type TargetItem, toTargets } from '../words/content/items'
import { loadTimeline } from './timeline'

/** What became of a change request that is closed. */
export interface Closed {
  readonly targets: readonly TargetItem[]
  /** Those who approved. */
  readonly approvers: readonly VoterView[]
  /** Who applied, rejected or cancelled it; undefined where the log does not tell. */
  readonly by: string | undefined
}

const ends = /^change-request-(?:applied|rejected|cancelled|scheduled-application-success)$/

export const isEnd = ({ type }: EventView): boolean => ends.test(type)

/** Reads it: the review tells what would be different, and of what is closed nothing would. */
export async function readClosed(place: ChangeRequestPlace): Promise<Closed> {
  const [{ body }, events] = await Promise.all([client.changeRequest(place), loadTimeline(place, {})])
  const approvers = body.approvals.map(({ createdBy }) => createdBy)
  const end = events.findLast(isEnd)
  const people = [body.createdBy, ...approvers, ...body.rejections.map(({ createdBy }) => createdBy)]
  const known = people.find(({ id }) => id === end?.createdByUserId)
  return { targets: toTargets([], body), approvers, by: known?.username ?? end?.createdBy }
}
