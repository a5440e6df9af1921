import type { EventView, MeView, ReviewView } from '../../../../../generated'
import { useLoaded } from '../../../core/api/load'
import { client } from '../../../core/api/session'
import type { RequestContext } from './context'
import type { Snapshot } from './use-request'

interface SomePerson {
  readonly id: number | null
  readonly username?: string | null
}

/** The approvals that no edit voided. */
export function approvalsOf({ request, review }: Snapshot): ReviewView['votes'] {
  return review.votes.filter(({ person }) => request.approvals.some(({ createdBy }) => createdBy.id === person.id))
}

/** The names of users, by their ids, and those behind the e-mail addresses in events. */
export function useNames(
  latest: Snapshot | undefined,
  me: MeView,
  events: readonly EventView[],
): Pick<RequestContext, 'nameOf' | 'actorOf'> {
  const known = namesIn(latest, me)
  const isUnknown = ({ createdByUserId: id }: EventView) => id != null && id > 0 && !known.has(id)
  const isIncomplete = latest !== undefined && events.some(isUnknown)
  // Only callers who can read the log get names from it.
  const { data: creators = [] } = useLoaded(isIncomplete ? 'event-creators' : 'no-creators', async ({ signal }) =>
    isIncomplete ? client.eventCreators({ signal }) : { body: [] },
  )
  const names = new Map<unknown, string>([
    ...events.map(({ createdByUserId, createdBy }) => [createdByUserId, createdBy] as const),
    ...creators.map(({ id, name }) => [id, name] as const),
    ...known,
  ])
  return {
    nameOf: (id) => names.get(id),
    actorOf: ({ createdBy, createdByUserId: id }) => (id == null ? undefined : names.get(id)) ?? createdBy,
  }
}

/** The names of all whom the review mentions. */
function namesIn(latest: Snapshot | undefined, me: MeView): ReadonlyMap<number, string> {
  if (latest === undefined) return new Map()
  const { request, review } = latest
  const people: readonly (SomePerson | null | undefined)[] = [
    ...review.approvers,
    ...review.changes.map(({ author }) => author),
    ...review.votes.map(({ person }) => person),
    ...request.rejections.map(({ createdBy }) => createdBy),
    ...review.discussion.flatMap(({ createdBy, resolved }) => [createdBy, resolved?.by]),
    ...review.voidedApprovals.flatMap(({ by, causedBy }) => [by, causedBy]),
    review.presetSchedule?.by,
    review.presetSchedule?.withdrawn?.by,
    review.applying?.by,
    review.ended?.by,
    review.emergency?.acknowledgedBy,
    review.author,
    review.author.onBehalfOf,
    me,
  ]
  return new Map(
    people.flatMap((person) => (person?.id != null && person.username ? [[person.id, person.username]] : [])),
  )
}
