import type { ReviewView } from '../../../../generated'
import { isMissing } from '../../words/waits'
import { approvalsOf, needsAcknowledgement } from './review'

/** `Approved, waiting for 1 more`; undefined where nothing was decided. */
export function decisionWords(
  before: ReviewView,
  now: ReviewView,
  user: number | null | undefined,
): string | undefined {
  if (needsAcknowledgement(before) && !needsAcknowledgement(now)) return 'Acknowledged'
  if (now.state !== before.state && now.state !== 'In review') {
    return now.state === 'Approved' ? 'Approved, not applied yet' : now.state
  }
  const hasApproved = (review: ReviewView) => approvalsOf(review).some(({ person }) => person.id === user)
  const known = new Map(before.objections?.map((one) => [one.id, one]))
  for (const { id, person, ended } of now.objections ?? []) {
    if (person.id === user && ended === null && !known.has(id)) return 'Objected'
    const isEnded = ended !== null && ended.by.id === user && known.get(id)?.ended === null
    if (isEnded && (ended.how === 'lifted' || ended.how === 'dismissed')) return `Objection ${ended.how}`
  }
  if (hasApproved(before)) {
    const isTakenBack =
      !hasApproved(now) && now.voidedApprovals.findLast(({ by }) => by.id === user)?.cause === 'taken-back'
    return isTakenBack ? 'Approval taken back' : undefined
  }
  if (!hasApproved(now)) return undefined
  const missing = now.requirements.filter(isMissing)
  const minimum = missing.find(({ name }) => name === 'minimum')
  if (missing.length === 0) return 'Approved'
  return `Approved, waiting for ${minimum ? `${minimum.approvals - (minimum.given ?? 0)} more` : missing.map(({ name }) => name).join(', ')}`
}
