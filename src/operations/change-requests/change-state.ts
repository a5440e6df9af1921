import { withSnapshots } from '../../domain/apply'
import type { Decision, StepOccasion } from '../../domain/decision'
import type { FlagState } from '../../domain/flags/flag-state'
import type { State } from '../../domain/lifecycle'
import { approve, cancel, reject, submit } from '../../domain/review'
import { cannotBecome } from '../../domain/rules'
import { schedulingUnavailable } from '../../domain/schedule'
import type { ChangeRequestError } from '../../errors'
import type { Permission } from '../../ports/access'
import type { StoredChangeRequest } from '../../ports/storage'
import { outlookOf, presentFlags } from '../flags/flag-state'
import { holds, requirePermission } from '../runtime/permissions'
import { blindDecision } from '../runtime/preconditions'
import { commentLimitsOf, type Services } from '../runtime/services'
import { apply } from './apply'
import { type Caller, findVisible, type Occasion, type Reference, writeExisting } from './existing'
import { settingsOf } from './settings'

export interface StateChange extends Caller, Reference {
  readonly state: State
  readonly comment: string | null
  /** Of what the caller decides on; null where the body names none. */
  readonly digest: string | null
}

/** Takes a change request to another state (contract 6.2). */
export function changeState(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  switch (input.state) {
    case 'In review':
      return sendToReview(services, input)
    case 'Approved':
    case 'Rejected':
      return vote(services, input, input.state)
    case 'Applied':
      return apply(services, input)
    case 'Cancelled':
      return close(services, input)
    case 'Draft':
      return refuse(services, input, 'READ_CHANGE_REQUEST', ({ changeRequest }) => cannotBecome(changeRequest, 'Draft'))
    case 'Scheduled':
      return refuse(services, input, 'APPLY_CHANGE_REQUEST', schedulingUnavailable)
  }
}

function sendToReview(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  return writeExisting(services, input, {
    ...input,
    permission: 'CREATE_CHANGE_REQUEST',
    gather: ({ changeRequest: { project, environment } }) => settingsOf(services, project, environment),
    decide: ({ changeRequest }, occasion, { requiredApprovals }) =>
      submit(changeRequest, { ...stepOccasion(services, input, occasion), requiredApprovals }),
  })
}

/** An approval or a rejection: it is for what was there when it arrived, and for nothing else (contract 6.3). */
async function vote(services: Services, input: StateChange, state: 'Approved' | 'Rejected') {
  const found = await findVisible(services, input, input.actor)
  const { project, environment } = found.changeRequest
  if (!(state === 'Rejected' && (await mayStop(services, input, found)))) {
    await requirePermission(services, input.actor, 'APPROVE_CHANGE_REQUEST', { project, environment })
  }
  const { adminSelfApproval, requireRevision: revisionRequired } = services.settings
  const isApproval = state === 'Approved'
  const decide = isApproval ? approve : reject
  return writeExisting(services, input, {
    ...input,
    found,
    permission: undefined,
    async gather({ changeRequest }) {
      // Whoever rejects need not wait for a gateway that is down, unless the digest has to be compared.
      const before =
        isApproval || input.digest !== null
          ? await presentFlags(services, [changeRequest])
          : await flagsIfKnown(services, found)
      return outlookOf(changeRequest, before)
    },
    precondition: ({ digest: present }, sameContent) =>
      blindDecision({ ...input, present, sameContent, revisionRequired }),
    decide({ changeRequest }, occasion, { digest, before }) {
      const step = { ...stepOccasion(services, input, occasion), digest, adminSelfApproval }
      const decision = decide(changeRequest, step)
      return isApproval ? decision : closed(decision, before)
    },
  })
}

function close(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  return writeExisting(services, input, {
    ...input,
    permission: 'CREATE_CHANGE_REQUEST',
    gather: (found) => flagsIfKnown(services, found),
    decide: ({ changeRequest }, occasion, before) =>
      closed(cancel(changeRequest, stepOccasion(services, input, occasion)), before),
  })
}

/** Nothing leads there. */
function refuse(
  services: Services,
  input: StateChange,
  permission: Permission,
  refusal: (current: StoredChangeRequest) => ChangeRequestError,
): Promise<StoredChangeRequest> {
  return writeExisting(services, input, {
    ...input,
    permission,
    decide(current) {
      throw refusal(current)
    },
  })
}

/** What was there is kept with what is closed, where it is known. */
function closed(decision: Decision, before: FlagState | undefined): Decision {
  return { ...decision, changeRequest: withSnapshots(decision.changeRequest, before) }
}

/** For snapshots: nothing is kept waiting, or refused, because a gateway cannot tell. */
async function flagsIfKnown(
  services: Services,
  { changeRequest }: StoredChangeRequest,
): Promise<FlagState | undefined> {
  try {
    return await presentFlags(services, [changeRequest])
  } catch (err) {
    services.logger.warn({ err, id: changeRequest.id }, 'A change request was closed without what the flags were.')
    return undefined
  }
}

/** What is scheduled may be stopped by its author too, and by an ADMIN (contract 6.2). */
async function mayStop(
  services: Services,
  { actor }: Caller,
  { changeRequest }: StoredChangeRequest,
): Promise<boolean> {
  if (changeRequest.state !== 'Scheduled') return false
  return changeRequest.createdBy.id === actor.id || (await holds(services, actor, 'ADMIN', {}))
}

function stepOccasion({ settings }: Services, { comment }: StateChange, { by, now }: Occasion): StepOccasion {
  return { by, now, comment, commentLimits: commentLimitsOf(settings) }
}
