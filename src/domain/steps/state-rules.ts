import type { ChangeRequest } from '../change-request'
import { closedStates, nextState, type State, type Transition } from '../lifecycle'
import type { Rule } from './caller-rules'
import type { Missing } from './codes'
import { approvalsMissing, isApproved } from './requirements'
import { hasApproved } from './votes'

/** What is in the body has room in the change request. */
export const room: Rule = ({ call }) =>
  call.excess === undefined ? undefined : { code: 'limit', message: call.excess }

/** No flag gateway without a shared transaction is at work on the change request. */
export const settled: Rule = ({ current: { applying } }) => {
  if (applying == null) return undefined
  const { startedAt, by } = applying
  return {
    code: 'applying',
    message:
      `The change request is being applied, since ${startedAt} by ${by.person.username ?? 'a user'}. Try again in a ` +
      'moment. If that application has broken off, somebody who runs this server can end it with the command ' +
      '"express-change-requests settle".',
  }
}

/** The present state allows the transition. */
export function transition(by: Transition, target: State): Rule {
  return ({ current }) => (nextState(current.state, by) === undefined ? cannotBecome(current, target) : undefined)
}

export function cannotBecome({ state }: ChangeRequest, target: State): Missing {
  if (state === target) return stateMissing(`The change request is ${state} already.`)
  return stateMissing(`A change request in the state ${state} cannot become ${target}.`)
}

export function stateMissing(message: string): Missing {
  return { code: 'state', message }
}

export const takesChanges: Rule = ({ current: { state } }) =>
  nextState(state, 'change') === undefined
    ? stateMissing(`The changes of a change request that is ${state} are fixed.`)
    : undefined

/** Only a draft may be left empty. */
export const keepsOne: Rule = ({ current: { state }, call }) => {
  if (!call.leavesNone || state === 'Draft' || nextState(state, 'change') === undefined) return undefined
  return {
    code: 'empty',
    message: 'The last change of a change request after its draft cannot be discarded; cancel the change request.',
  }
}

export const isDraft: Rule = ({ current: { state } }) =>
  state === 'Draft' ? undefined : stateMissing(`Only a Draft can be discarded; this change request is ${state}.`)

export const beforeApproval: Rule = ({ current: { state } }) =>
  state === 'Draft' || state === 'In review'
    ? undefined
    : stateMissing(`Approvers are requested before the approval; this change request is ${state}.`)

export const titleNotFixed: Rule = ({ current: { state } }) =>
  closedStates.includes(state) ? stateMissing(`The change request is ${state}: its title is fixed.`) : undefined

export const hasChanges: Rule = ({ current: { changes } }) =>
  changes.length === 0
    ? { code: 'empty', message: 'There is nothing to review: the change request has no changes.' }
    : undefined

/**
 * An Approved or Scheduled one takes approvals while a requirement is not met (contract 6.3). Where all are met in review,
 * because a rule went away, whoever has voted may vote again, so that it gets on.
 */
export const approvable: Rule = (question) => {
  const { current, facts } = question
  if (nextState(current.state, 'approve') === undefined) return cannotBecome(current, 'Approved')
  const found: Missing[] = []
  const approved = isApproved(current, facts)
  const inReview = current.state === 'In review'
  if (!inReview && approved) found.push(cannotBecome(current, 'Approved'))
  const last = inReview && approved
  if (!last && hasApproved(current, facts.caller.id, facts.digest)) {
    found.push({ code: 'voted', message: 'You have approved this change request already.' })
  }
  return found
}

/** Whoever has approved what is in review does not reject it. */
export const notApproved: Rule = ({ current, facts }) =>
  current.state === 'In review' && hasApproved(current, facts.caller.id, facts.digest)
    ? { code: 'voted', message: 'You have approved this change request; it cannot be rejected by you.' }
    : undefined

/** What is in review gets to where it can be applied or scheduled by approvals, so these are what is missing first. */
export function reviewed(by: 'apply' | 'schedule', target: State): Rule {
  return ({ current, facts }) => {
    const { state } = current
    const found: Missing[] = []
    const approved = isApproved(current, facts)
    const waits = state === 'In review' && !approved
    if (nextState(state, by) === undefined && !waits) found.push(cannotBecome(current, target))
    if (!approved && !closedStates.includes(state)) found.push(...approvalsMissing(current, facts))
    return found
  }
}

/** The changes fit the present flags (contract 5.6). */
export const fits: Rule = ({ current, facts }) =>
  closedStates.includes(current.state)
    ? undefined
    : (facts.conflicts ?? []).map((conflict) => ({
        code: 'conflict',
        message: `The changes no longer fit the flags (${conflict}).`,
      }))

/** The changes undo nothing that somebody else altered since they were proposed (extensions 5). */
export const keepsOthers: Rule = ({ current, facts }) =>
  facts.options.overwrites || closedStates.includes(current.state)
    ? undefined
    : (facts.overwrites ?? []).map((overwrite) => ({
        code: 'overwrite',
        message: `The changes would overwrite what was altered meanwhile (${overwrite}). Rebase the change request.`,
      }))

export const carriedOut: Rule = ({ facts }) =>
  facts.options.carriesOut
    ? undefined
    : { code: 'gateway', message: 'Nothing can be applied here: no flag gateway is set.' }

export const scheduler: Rule = ({ facts }) =>
  facts.options.scheduler
    ? undefined
    : { code: 'scheduler', message: 'Scheduling is not available here. Apply the change request once it is time.' }

/** Where change requests are off, nothing is proposed (contract 3.3). It also refuses a change request that is not there yet. */
export const switchedOff: Missing = {
  code: 'off',
  message: 'Change requests are switched off in this project and environment.',
}
