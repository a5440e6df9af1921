import type { ChangeRequest, Emergency, Vote } from '../change-request'
import { isOwn } from '../content/authors'
import { endObjections, endOwnObjection, stopsInEvent } from '../content/objections'
import { fittingText } from '../content/size'
import { customFieldsData } from '../custom-fields/custom-fields'
import { withSnapshots } from '../diff/snapshots'
import { type Attribution, changeRequestEvent } from '../events/events'
import { endPreset } from '../schedule/preset'
import { closingRecord } from '../steps/approval-record'
import type { Facts } from '../steps/facts'
import { isApproved } from '../steps/requirements'
import { withVotedContent } from '../steps/votes'
import {
  type CommentedCommand,
  type Decision,
  enterState,
  type LimitedCommand,
  loggedTexts,
  ownMinimum,
  withEnding,
  withFinalComments,
  withMinimum,
} from './decision'
import { requireStepWithComment } from './discussion'
import { scheduleOnceReady } from './preset-schedule'
import { withoutSchedule } from './schedule'

/** Draft -> In review, by its author. If the minimum was raised meanwhile, the new one applies (contract 3.3). */
export function submit(current: ChangeRequest, command: CommentedCommand<'submit'>): Decision {
  const commented = requireStepWithComment('submit', current, command)
  const { requiredApprovals, gatedMinimum } = command.facts
  const own = Math.max(ownMinimum(current), requiredApprovals)
  const sent = enterState(withMinimum(commented, own, gatedMinimum), 'change-request-sent-to-review', command.now)
  const data = { ...customFieldsData(sent), ...loggedTexts(command.facts, { title: sent.title }) }
  const event = changeRequestEvent('change-request-sent-to-review', sent, command, data)
  return { changeRequest: sent, events: [event] }
}

/** With the last one, In review -> Approved (contract 6.2), and then -> Scheduled by a preset schedule (contract 25.2). */
export function approve(current: ChangeRequest, command: LimitedCommand<'approve'>): Decision {
  const comment = fittingText(current.comments, command.comment, command.commentLimits)
  const commented = requireStepWithComment('approve', current, { ...command, comment })
  const { by, now, facts } = command
  const { groups = [] } = by
  // It counts for the groups at the time of the vote.
  const vote = { ...voteOf(command), ...(groups.length > 0 && { groups }) }
  // Replaces a vote of the same user that no longer counts.
  const others = current.approvals.filter(({ createdBy }) => createdBy.id !== by.author.person.id)
  const lifted = endOwnObjection(commented, { how: 'approved', by: by.author.person, at: now })
  const counted = withFinalComments(withVotedContent({ ...lifted, approvals: [...others, vote] }, facts))
  const enough = isApproved(counted, facts)
  const voted = enough && current.state === 'In review' ? enterState(counted, 'change-request-approved', now) : counted
  const isOfAuthor = isOwn(current, by.author.person.id)
  const data = { digest: facts.digest, ...(isOfAuthor && { selfApproval: true }), ...loggedTexts(facts, { comment }) }
  const events = [changeRequestEvent('change-request-approval-added', voted, command, data)]
  if (voted.state !== current.state) events.push(changeRequestEvent('change-request-approved', voted, command))
  const scheduled = scheduleOnceReady(voted, now, facts)
  return { changeRequest: scheduled.changeRequest, events: [...events, ...scheduled.events] }
}

function voteOf({ by, now, facts }: Attribution & { readonly facts: Pick<Facts, 'digest'> }): Vote {
  return { createdBy: by.author.person, createdAt: now, digest: facts.digest }
}

/** In review -> Rejected, by anyone but its authors; Scheduled -> Rejected, by anyone with the permission. */
export function reject(current: ChangeRequest, command: CommentedCommand<'reject'>): Decision {
  const commented = requireStepWithComment('reject', current, command)
  const { by, now } = command
  const rejections = [...current.rejections, voteOf(command)]
  const unscheduled = endPreset(withoutSchedule(commented), now, 'closed', by.author.person)
  return closed(withVotedContent({ ...unscheduled, rejections }, command.facts), 'change-request-rejected', command)
}

export function cancel(current: ChangeRequest, command: CommentedCommand<'cancel'>): Decision {
  const commented = requireStepWithComment('cancel', current, command)
  const { by, now } = command
  return closed(endPreset(commented, now, 'closed', by.author.person), 'change-request-cancelled', command)
}

/** Closes it, and stores who closed it and the state of the flags, where it is known. */
function closed(
  current: ChangeRequest,
  type: 'change-request-rejected' | 'change-request-cancelled',
  command: Attribution & {
    readonly facts: Pick<Facts, 'flags' | 'digest' | 'options'>
    readonly comment: string | null
  },
): Decision {
  const ended = endObjections(current, { how: 'closed', by: command.by.author.person, at: command.now })
  const changeRequest = enterState(ended, type, command.now)
  const data = { ...stopsInEvent(changeRequest), ...loggedTexts(command.facts, command) }
  const events = [changeRequestEvent(type, changeRequest, command, data)]
  const record = closingRecord(changeRequest, command.facts)
  return { changeRequest: withEnding(withSnapshots(changeRequest, command.facts.flags), command, record), events }
}

/** Acknowledges an emergency apply: logged as an approval, but not stored with the votes. */
export function acknowledge(current: ChangeRequest, command: CommentedCommand<'acknowledge'>): Decision {
  const commented = requireStepWithComment('acknowledge', current, command)
  const { by, now } = command
  const acknowledgement = { createdBy: by.author.person, createdAt: now }
  const changeRequest = { ...commented, emergency: { ...(current.emergency as Emergency), acknowledgement } }
  const data = { afterReview: true, ...loggedTexts(command.facts, command) }
  const event = changeRequestEvent('change-request-approval-added', changeRequest, command, data)
  return { changeRequest, events: [event] }
}

export function needsAcknowledgement({ emergency }: ChangeRequest): boolean {
  return emergency !== undefined && emergency.acknowledgement === null
}
