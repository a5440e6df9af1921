import { ChangeRequestError } from '../../errors'
import type { ChangeRequest } from '../change-request'
import { endObjections, endOwnObjection, withObjection } from '../content/objections'
import { type CommentLimits, fittingText } from '../content/size'
import { type Attribution, changeRequestEvent } from '../events/events'
import { type Facts, wellFormedCall } from '../steps/facts'
import { requireStep } from '../steps/steps'
import { withoutOwnApproval } from '../steps/votes'
import { type Decision, enterState, loggedTexts, type StepCommand, withFinalComments } from './decision'
import { withComment } from './discussion'
import { scheduleOnceReady } from './preset-schedule'
import { suspend } from './schedule'

export interface ObjectionCommand extends StepCommand<'object'> {
  readonly text: string
  readonly commentLimits: CommentLimits
}

/** Blocks applying until it ends. Who objects has no vote. The same again changes nothing. */
export function object(current: ChangeRequest, command: ObjectionCommand): Decision {
  const { by, now, facts, text, commentLimits } = command
  requireStep('object', current, facts, {})
  const person = by.author.person
  // Objected to at its arrival, or by its digest.
  const outdated = facts.revision.isSeen ? {} : { outdated: true as const }
  const objected = withObjection(current, { by: person, at: now, text, ...outdated })
  if (objected === current) return { changeRequest: current, events: [] }
  // For clients that know no objections.
  const isWhole = fittingText(current.comments, text, commentLimits) === text
  const commented = withFinalComments(withComment(objected, { by, now, comment: isWhole ? text : null }))
  const voted = withoutOwnApproval(commented, { at: now, cause: 'objected', causedBy: person })
  // The running attempt is not stopped any more, only the next one.
  if (current.applying != null) return { changeRequest: voted, events: [] }
  if (isPending(current)) return suspend(voted, now, 'A reviewer objected.')
  return lacksApprovals(current, voted) ? reviewAgain(voted, command) : { changeRequest: voted, events: [] }
}

export function liftObjection(current: ChangeRequest, command: StepCommand<'liftObjection'>): Decision {
  const { by, now, facts } = command
  requireStep('liftObjection', current, facts, {})
  const lifted = endOwnObjection(current, { how: 'lifted', by: by.author.person, at: now })
  return scheduleOnceReady(lifted, now, facts)
}

export interface DismissalCommand extends StepCommand<'dismissObjection'> {
  readonly objectionId: number | undefined
  readonly reason: string
}

/** @throws NotFoundError if there is no objection with this id */
export function dismissObjection(current: ChangeRequest, command: DismissalCommand): Decision {
  const { by, now, facts, objectionId, reason } = command
  const found = current.objections?.find(({ id }) => id === objectionId)
  if (found === undefined) {
    throw new ChangeRequestError('NotFoundError', `The change request ${current.id} has no such objection.`)
  }
  requireStep('dismissObjection', current, facts, { objectionId: found.id })
  const ending = { how: 'dismissed', by: by.author.person, at: now, reason } as const
  return scheduleOnceReady(endObjections(current, ending, [found]), now, facts)
}

/** Whether the approval counts now or not. */
export function takeBackApproval(current: ChangeRequest, command: StepCommand<'takeBackApproval'>): Decision {
  const { by, now, facts } = command
  requireStep('takeBackApproval', current, facts, wellFormedCall)
  const voted = withoutOwnApproval(current, { at: now, cause: 'taken-back', causedBy: by.author.person })
  if (!lacksApprovals(current, voted)) return { changeRequest: voted, events: [] }
  if (isPending(current)) return suspend(voted, now, 'An approval was taken back.')
  return reviewAgain(voted, command)
}

function isPending({ state, schedule }: ChangeRequest): boolean {
  return state === 'Scheduled' && schedule?.status === 'pending'
}

/** True if an approval was removed and the others are too few. Any other unmet requirement is found when it is applied. */
function lacksApprovals(before: ChangeRequest, { approvals, minApprovals }: ChangeRequest): boolean {
  return approvals.length < before.approvals.length && approvals.length < minApprovals
}

/** Approved -> In review. */
function reviewAgain(
  current: ChangeRequest,
  command: Attribution & { readonly facts: Pick<Facts, 'options'> },
): Decision {
  if (current.state !== 'Approved') return { changeRequest: current, events: [] }
  const type = 'change-request-sent-to-review'
  const changeRequest = enterState(current, type, command.now)
  const data = { takenBack: true, ...loggedTexts(command.facts, { title: changeRequest.title }) }
  return { changeRequest, events: [changeRequestEvent(type, changeRequest, command, data)] }
}
