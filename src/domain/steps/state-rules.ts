import { states } from '../../generated/lists'
import type { ApplyAttempt, ChangeRequest } from '../change-request'
import { openObjectionOf } from '../content/objections'
import { blockingFreezesAt, freezeSentence } from '../freezes/freeze'
import { instantOf } from '../instants'
import { allows, isClosed, phaseOf, type State, type Transition } from '../lifecycle'
import type { Missing } from './codes'
import type { Facts, StepOptions } from './facts'
import {
  approvalFacts,
  approvalsMissing,
  approvedUntil,
  isApproved,
  isReadyToSchedule,
  readyFacts,
} from './requirements'
import { findingsOf, type Rule, rule } from './rule'
import { hasApproved } from './votes'

export const notBeingApplied = rule(['options'], ({ applying }, { options }) => {
  if (applying == null) return undefined
  const ifInterrupted = options.knowsOutcome
    ? 'If the apply was interrupted, its result is looked up automatically.'
    : 'If the apply was interrupted, an operator of this server can end it with the command ' +
      '"express-change-requests settle".'
  return beingApplied(applying, `Try again in a moment. ${ifInterrupted}`)
})

export function beingApplied({ startedAt, by }: ApplyAttempt, hint: string): Missing {
  const attempt = `started at ${startedAt} by ${by.person.username ?? 'a user'}`
  return { code: 'being-applied', message: `The change request is being applied (${attempt}). ${hint}` }
}

export function transition(by: Transition, target: State) {
  return rule([], (current) => (allows(current.state, by) ? undefined : cannotBecome(current, target)))
}

export function cannotBecome({ state }: ChangeRequest, target: State): Missing {
  if (state === target) return wrongState(`The change request is already ${state}.`)
  return wrongState(`A change request in the state ${state} cannot become ${target}.`)
}

export function wrongState(message: string): Missing {
  return { code: 'wrong-state', message }
}

export const isEditable = rule([], ({ state }) =>
  allows(state, 'change')
    ? undefined
    : wrongState(`The change request is ${state}: its changes can no longer be edited.`),
)

export const keepsOneAfterDraft = rule(['leavesNone'], ({ state }, { leavesNone }) => {
  if (!leavesNone || state === 'Draft' || !allows(state, 'change')) return undefined
  return {
    code: 'no-changes',
    message: 'The last change can be discarded only in a Draft. Cancel the change request instead.',
  }
})

export const isDraft = rule([], ({ state }) =>
  state === 'Draft' ? undefined : wrongState(`Only a Draft can be discarded; this change request is ${state}.`),
)

export function isBeforeApproval(what: string) {
  return rule([], ({ state }) =>
    phaseOf(state) === 'draft' || phaseOf(state) === 'review'
      ? undefined
      : wrongState(`${what} only before the approval; this change request is ${state}.`),
  )
}

export const isTitleEditable = rule([], ({ state }) =>
  isClosed({ state }) ? wrongState(`The change request is ${state}: its title can no longer be edited.`) : undefined,
)

export function hasChanges(to: 'review' | 'apply' | 'copy', among: readonly State[] = states) {
  return rule([], ({ state, changes }) =>
    among.includes(state) && changes.length === 0
      ? { code: 'no-changes', message: `There is nothing to ${to}: the change request has no changes.` }
      : undefined,
  )
}

/**
 * An Approved or Scheduled change request can be approved while a requirement is not met (contract 6.3). If all are met in
 * review because a rule was removed, users who have voted can vote again, so that it becomes Approved.
 */
export const isApprovable = rule(['userId', ...approvalFacts], (current, facts) => {
  if (!allows(current.state, 'approve')) return cannotBecome(current, 'Approved')
  // The approval ends the objection.
  if (openObjectionOf(current, facts.userId) !== undefined) return undefined
  const approved = isApproved(current, facts)
  const inReview = current.state === 'In review'
  const hasVoted = !(inReview && approved) && hasApproved(current, facts)
  const alreadyVoted: Missing = { code: 'already-voted', message: 'You have already approved this change request.' }
  return [...(!inReview && approved ? [cannotBecome(current, 'Approved')] : []), ...(hasVoted ? [alreadyVoted] : [])]
})

export const notApproved = rule(['userId', 'digest', 'expiry'], (current, facts) =>
  current.state === 'In review' && hasApproved(current, facts)
    ? { code: 'already-voted', message: "You have approved this change request, so you can't reject it." }
    : undefined,
)

/** In review, the missing approvals are reported instead of the wrong state. */
export function isReviewed(by: 'apply' | 'schedule', target: State) {
  return rule(approvalFacts, (current, facts) => {
    const { state } = current
    const found: Missing[] = []
    const approved = isApproved(current, facts)
    const needsApprovals = state === 'In review' && !approved
    if (!allows(state, by) && !needsApprovals) found.push(cannotBecome(current, target))
    if (!approved && !isClosed({ state })) found.push(...approvalsMissing(current, facts))
    return found
  })
}

export const staysApproved = rule([...approvalFacts, 'at'], (current, facts) => {
  const { at } = facts
  if (at === null || isClosed(current)) return undefined
  const until = approvedUntil(current, facts)
  if (until === null || instantOf(at) < instantOf(until)) return undefined
  return {
    code: 'missing-approvals',
    message: `Too few approvals count from ${until} on, because they expire. Schedule the change request for an earlier time.`,
  }
})

export const noConflicts = rule(['conflicts'], ({ state }, { conflicts }) =>
  isClosed({ state })
    ? undefined
    : conflicts.map((conflict) => ({
        code: 'conflict',
        message: `The changes cannot be applied to the current flags (${conflict}).`,
      })),
)

/** The changes overwrite no field that another user edited since they were proposed (contract 16). */
export const noOverwrites = rule(['options', 'overwrites'], ({ state }, { options, overwrites }) =>
  options.overwrites || isClosed({ state })
    ? undefined
    : overwrites.map((overwrite) => ({
        code: 'overwrite',
        message: `The changes would overwrite newer edits (${overwrite}). Rebase the change request.`,
      })),
)

/** No freeze is in force when it would be applied (contract 25). */
export const notFrozen = rule(['freezes', 'at', 'waits'], ({ state }, { freezes, at, waits }) => {
  if (at === null || isClosed({ state })) return undefined
  const inForce = blockingFreezesAt(freezes, at)
  const preventing = waits ? inForce.filter(({ scheduled }) => scheduled === 'suspend') : inForce
  return preventing.map((freeze): Missing => ({ code: 'frozen', message: freezeSentence(freeze) }))
})

export const gatewayConfigured = requireOption('canApply', {
  code: 'no-flag-gateway',
  message: 'The change request cannot be applied: no flag gateway is configured.',
})

const noScheduler: Missing = {
  code: 'no-scheduler',
  message: 'Scheduling is not available. Apply the change request yourself when it is time.',
}

export const schedulerConfigured = requireOption('scheduler', noScheduler)

/** Does not require that the scheduler has started: an approval during a restart counts, too. */
export const schedulerExpected = requireOption('presetsSchedules', noScheduler)

export function requireOption(name: keyof StepOptions, missing: Missing) {
  return rule(['options'], (_, { options }) => (options[name] ? undefined : missing))
}

/** A preset schedule waits for the last approval. */
export const isBeforeSchedule = rule([], ({ state }) =>
  state === 'In review' || state === 'Approved'
    ? undefined
    : wrongState(`A change request in the state ${state} cannot have a preset schedule.`),
)

/** Rules for scheduling, while only a time is missing for it. Before that they are not checked. */
export function onceReady<const Rules extends readonly Rule[]>(...rules: Rules) {
  const needs: readonly Rules[number]['needs'][number][] = rules.flatMap((one) => one.needs)
  return rule([...readyFacts, ...needs], (current, facts) =>
    isReadyToSchedule(current, facts) ? rules.flatMap((one) => findingsOf(one, current, facts as Facts)) : undefined,
  )
}
