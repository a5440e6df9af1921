import type { EventView, MeView, ReviewView } from '../../../../../generated'
import type { Snapshot } from './use-request'

interface SomePerson {
  readonly id: number | null
  readonly username?: string | null
}

/** The names behind the signatures of the log, such as e-mail addresses. */
export function signaturesOf(
  events: readonly EventView[],
  names: ReadonlyMap<number, string>,
): ReadonlyMap<string, string> {
  const known = events.flatMap(({ createdBy, createdByUserId }) => {
    const name = typeof createdByUserId === 'number' ? names.get(createdByUserId) : undefined
    return name === undefined ? [] : [[createdBy, name] as const]
  })
  return new Map(known)
}

/** The approvals that no edit voided. */
export function approvalsOf({ request, review }: Snapshot): ReviewView['votes'] {
  return review.votes.filter(({ person }) => request.approvals.some(({ createdBy }) => createdBy.id === person.id))
}

/** The names of all who appear on the screen, by their ids. */
export function namesOf(
  { request, review }: Snapshot,
  me: MeView,
  events: readonly EventView[],
): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  for (const { createdBy, createdByUserId } of events) {
    if (typeof createdByUserId === 'number') names.set(createdByUserId, createdBy)
  }
  const people: readonly (SomePerson | null | undefined)[] = [
    ...review.approvers,
    ...request.features.flatMap(({ changes }) => changes.flatMap(({ createdBy }) => createdBy ?? [])),
    ...review.votes.map(({ person }) => person),
    ...review.discussion.map(({ createdBy }) => createdBy),
    ...review.voidedApprovals.map(({ by }) => by),
    review.ended?.by,
    review.emergency?.acknowledgedBy,
    review.author,
    me,
  ]
  for (const person of people) if (person?.id != null && person.username) names.set(person.id, person.username)
  return names
}
