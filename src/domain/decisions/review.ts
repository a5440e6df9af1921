import { ownMinimum, withMinimum } from '../approval/minimum'
import type { ChangeRequest, Emergency, Vote } from '../change-request'
import { changeRequestEvent } from '../events/events'
import { isOwn } from '../steps/caller-rules'
import type { StepFacts } from '../steps/facts'
import { isApproved } from '../steps/requirements'
import { type Decision, enterState, type StepOccasion } from './decision'
import { requireStepWithComment } from './discussion'
import { withoutSchedule } from './schedule'

/** The input of a vote. */
export interface VoteOccasion extends StepOccasion {
  /** With the digest of all that would be applied now: a vote is bound to it. */
  readonly facts: StepFacts & { readonly digest: string }
}

/** The input of sending to review. */
export interface SubmitOccasion extends StepOccasion {
  /** The present setting of the environment. */
  readonly requiredApprovals: number
  /** The highest minimum of all gated environments of the project; not needed where no change affects the whole project. */
  readonly gatedMinimum?: number | undefined
}

/** Draft -> In review, by its author. If the minimum was raised meanwhile, the new one applies (contract 3.3). */
export function submit(current: ChangeRequest, occasion: SubmitOccasion): Decision {
  const commented = requireStepWithComment('submit', current, occasion)
  const own = Math.max(ownMinimum(current), occasion.requiredApprovals)
  const sent = enterState(withMinimum(commented, own, occasion.gatedMinimum), 'In review', occasion.now)
  return { changeRequest: sent, events: [changeRequestEvent('change-request-sent-to-review', sent, occasion)] }
}

/**
 * Adds an approval; once all requirements are met, what is in review becomes Approved (contract 6.2). An Approved or Scheduled
 * one takes approvals while a requirement is not met for what would be applied now (contract 6.3), and stays what it is.
 */
export function approve(current: ChangeRequest, occasion: VoteOccasion): Decision {
  const commented = requireStepWithComment('approve', current, occasion)
  const { by, now, facts } = occasion
  const { digest } = facts
  const vote: Vote = { createdBy: by.author.person, createdAt: now, digest, ...groupsOf(occasion) }
  // Replaces a vote of the same person that no longer counts.
  const others = current.approvals.filter(({ createdBy }) => createdBy.id !== by.author.person.id)
  const counted = { ...commented, approvals: [...others, vote] }
  const enough = isApproved(counted, facts)
  const voted = enough && current.state === 'In review' ? enterState(counted, 'Approved', now) : counted
  const own = isOwn(current, by.author.person.id)
  const data = { digest, ...(own ? { selfApproval: true } : {}) }
  const events = [changeRequestEvent('change-request-approval-added', voted, occasion, data)]
  if (voted.state !== current.state) events.push(changeRequestEvent('change-request-approved', voted, occasion))
  return { changeRequest: voted, events }
}

/** Kept with the vote, because it counts for the groups of then. */
function groupsOf({ by: { groups = [] } }: VoteOccasion): Pick<Vote, 'groups'> {
  return groups.length === 0 ? {} : { groups }
}

/** In review -> Rejected by somebody else than its authors; Scheduled -> Rejected by anybody with the permission. */
export function reject(current: ChangeRequest, occasion: VoteOccasion): Decision {
  const commented = requireStepWithComment('reject', current, occasion)
  const { by, now, facts } = occasion
  const vote: Vote = { createdBy: by.author.person, createdAt: now, digest: facts.digest }
  const rejections = [...current.rejections, vote]
  const changeRequest = enterState({ ...withoutSchedule(commented), rejections }, 'Rejected', now)
  return { changeRequest, events: [changeRequestEvent('change-request-rejected', changeRequest, occasion)] }
}

/** -> Cancelled, by its author or an ADMIN. */
export function cancel(current: ChangeRequest, occasion: StepOccasion): Decision {
  const commented = requireStepWithComment('cancel', current, occasion)
  const changeRequest = enterState(commented, 'Cancelled', occasion.now)
  return { changeRequest, events: [changeRequestEvent('change-request-cancelled', changeRequest, occasion)] }
}

/** The second look at what was applied in an emergency: told as an approval, and kept apart from the votes. */
export function acknowledge(current: ChangeRequest, occasion: StepOccasion): Decision {
  const commented = requireStepWithComment('acknowledge', current, occasion)
  const { by, now } = occasion
  const acknowledgement = { createdBy: by.author.person, createdAt: now }
  const emergency = { ...(current.emergency as Emergency), acknowledgement }
  const changeRequest = { ...commented, emergency }
  return {
    changeRequest,
    events: [changeRequestEvent('change-request-approval-added', changeRequest, occasion, { afterReview: true })],
  }
}

/** True while an application in an emergency waits for its second look. */
export function waitsForSecondLook({ emergency }: ChangeRequest): boolean {
  return emergency !== undefined && emergency.acknowledgement === null
}
