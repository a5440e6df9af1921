import { withSnapshots } from '../domain/application'
import type { ChangeRequest } from '../domain/change-request'
import type { Decision, Reviewer } from '../domain/decision'
import type { State } from '../domain/lifecycle'
import { approve, type Circumstances, cancel, reject, submit } from '../domain/review'
import { cannotBecome } from '../domain/rules'
import { schedulingUnavailable } from '../domain/schedule'
import type { Permission } from '../ports/access'
import type { StoredChangeRequest } from '../ports/storage'
import { apply } from './apply'
import { digestOf } from './digest'
import { type Caller, findVisible, type Reference, writeExisting } from './existing'
import { presentFlags } from './flag-state'
import { holds, requirePermission } from './permissions'
import type { Services } from './services'

export interface StateChange extends Caller, Reference {
  readonly state: State
  readonly comment: string | null
}

type Decide = (current: ChangeRequest, circumstances: Circumstances) => Decision

interface Transition {
  readonly permission: Permission
  readonly decide: Decide
}

const transitions: { readonly [state in Exclude<State, 'Applied'>]: Transition } = {
  Draft: { permission: 'READ_CHANGE_REQUEST', decide: (current) => refuse(current, 'Draft') },
  'In review': { permission: 'CREATE_CHANGE_REQUEST', decide: submit },
  Approved: { permission: 'APPROVE_CHANGE_REQUEST', decide: approve },
  Scheduled: { permission: 'APPLY_CHANGE_REQUEST', decide: refuseSchedule },
  Cancelled: { permission: 'CREATE_CHANGE_REQUEST', decide: cancel },
  Rejected: { permission: 'APPROVE_CHANGE_REQUEST', decide: reject },
}

/** Takes a change request to another state (contract 6.2). */
export async function changeState(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  const { state, comment } = input
  if (state === 'Applied') return apply(services, input)
  const { permission, decide } = transitions[state]
  const found = await findVisible(services, input, input.actor)
  if (!(state === 'Rejected' && (await mayStop(services, input, found)))) {
    const { project, environment } = found.changeRequest
    await requirePermission(services, input.actor, permission, { project, environment })
  }
  const closes = state === 'Cancelled' || state === 'Rejected'
  const before = closes ? await presentFlags(services, [found.changeRequest]) : undefined
  return writeExisting(services, input, {
    ...input,
    found,
    permission: undefined,
    decide({ changeRequest }, by, now) {
      const decision = decide(changeRequest, circumstances(services, changeRequest, by, now, comment))
      return { ...decision, changeRequest: withSnapshots(decision.changeRequest, before) }
    },
  })
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

function circumstances(
  { settings }: Services,
  changeRequest: ChangeRequest,
  by: Reviewer,
  now: string,
  comment: string | null,
): Circumstances {
  return { by, now, comment, digest: digestOf(changeRequest), adminSelfApproval: settings.adminSelfApproval }
}

function refuseSchedule(): never {
  throw schedulingUnavailable()
}

function refuse(current: ChangeRequest, target: State): never {
  throw cannotBecome(current, target)
}
