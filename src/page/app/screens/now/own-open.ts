import type { ChangeRequestPlace, WriteOptions } from '../../../../client'
import { isOpen } from '../../../../domain/lifecycle'
import type { ReviewView, StateName, SubmittedChange } from '../../../../generated'
import { states } from '../../../../generated/lists'
import { authoring } from '../../core/api/authoring'
import { useQuery } from '../../core/api/query'
import { client, useMe } from '../../core/api/session'
import { counted } from '../../words/numbers'
import { listed } from '../../words/spans'

/** Where changes are proposed. */
export type EditPlace = Parameters<typeof authoring.propose>[0]

const openStates: readonly StateName[] = states.filter(isOpen)

/** The open change request of the caller there, which a proposal would be added to; null for none. */
export function useOwnOpen({ project, environment }: EditPlace) {
  const { id: author } = useMe()
  return useQuery<ReviewView | null>(
    ['own open', project, environment],
    async (options) => {
      const read = (state: StateName) =>
        client.reviews({ project, environment, state, limit: 1, ...(author !== null && { author }) }, options)
      const reviews = (await Promise.all(openStates.map(read))).flatMap(({ body }) => body.reviews)
      const found = reviews.find(({ createdBy }) => createdBy.id === author)
      return found ? client.review(found, options) : { body: null }
    },
    { changedBy: (events) => events.some((event) => event.project === project && event.type.startsWith('change-')) },
  )
}

/** What is lost if it is cancelled, even if it is proposed again; empty for nothing. */
export function lostWith({
  presetSchedule,
  approvers,
  changeRequest: { approvals },
}: Pick<ReviewView, 'presetSchedule' | 'approvers' | 'changeRequest'>): string {
  const lost = [
    approvals.length > 0 && counted(approvals.length, 'approval'),
    presetSchedule?.withdrawn === null && 'schedule',
    approvers.length > 0 && 'reviewers',
  ].filter((one) => one !== false)
  return lost.length === 0 ? '' : `It loses its ${listed(lost)}.`
}

/** The call that creates a change request. */
export type CreatingStep =
  | { readonly kind: 'propose'; readonly changes: readonly SubmittedChange[] }
  /** `partial` leaves out what can't be reverted. */
  | { readonly kind: 'revert'; readonly of: ChangeRequestPlace; readonly partial: boolean }

/** Creates a change request: nothing is added to an open one. */
export function create(step: CreatingStep, place: EditPlace, { idempotencyKey, signal }: WriteOptions) {
  return step.kind === 'revert'
    ? client.revert(step.of, step.partial ? { partial: true } : {}, { idempotencyKey, signal })
    : authoring.propose(place, step.changes, { idempotencyKey, signal, ifNoneMatch: '*' })
}

/** Its response may have been lost, and a second one would be rejected: so it is read whether the first one did it. */
export async function cancel(open: ChangeRequestPlace, { ifMatch, signal }: WriteOptions) {
  try {
    return await client.setState(open, { state: 'Cancelled' }, { ifMatch, signal })
  } catch (error) {
    const review = await client.review(open, { signal })
    if (review.body.state !== 'Cancelled') throw error
    return { ...review, body: review.body.changeRequest }
  }
}
