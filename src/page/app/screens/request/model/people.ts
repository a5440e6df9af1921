import type { MeView } from '../../../../../generated'
import type { History } from './use-history'
import type { Snapshot } from './use-request'

interface SomePerson {
  readonly id: number | null
  readonly username?: string | null
}

/** The names behind the signatures of the log, such as e-mail addresses. */
export function signaturesOf(
  { asked }: Snapshot,
  { events }: History,
  names: ReadonlyMap<number, string>,
): ReadonlyMap<string, string> {
  const known = events.flatMap(({ createdBy, createdByUserId }) => {
    const name = typeof createdByUserId === 'number' ? names.get(createdByUserId) : undefined
    return name === undefined ? [] : [[createdBy, name] as const]
  })
  const reviewers = asked.reviewers.map(({ id, email }) => [email, names.get(id) ?? email] as const)
  return new Map([...reviewers, ...known])
}

/** The names of all who appear on the screen, by their numbers. */
export function namesOf(
  { request, review, asked }: Snapshot,
  me: MeView,
  { events }: History,
): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  for (const { createdBy, createdByUserId } of events) {
    if (typeof createdByUserId === 'number') names.set(createdByUserId, createdBy)
  }
  const people: readonly SomePerson[] = [
    ...asked.reviewers.map(({ id, username, name, email }) => ({ id, username: username ?? name ?? email })),
    ...request.features.flatMap(({ changes }) => changes.flatMap(({ createdBy }) => createdBy ?? [])),
    ...request.approvals.map(({ createdBy }) => createdBy),
    ...review.discussion.map(({ createdBy }) => createdBy),
    request.createdBy,
    me,
  ]
  for (const { id, username } of people) if (id !== null && username) names.set(id, username)
  return names
}
