import type { ChangeRequest, NewChange } from '../../domain/change-request'
import type { Revert } from '../../domain/diff/revert'
import { isVisible } from '../../domain/lifecycle'
import { ChangeRequestError } from '../../errors'
import type { Actor } from '../../ports/access'
import type { OpenKey, StoredChangeRequest } from '../../ports/storage/change-requests'
import type { Proposal } from '../facts/fact-context'
import type { PermissionCheck } from '../host/permissions'
import type { Services } from '../services'
import type { WriteJob } from '../writer/aggregate-writer'

export interface Caller {
  readonly actor: Actor
  readonly ip: string | undefined
  readonly ifMatch: string | undefined
  /** Checks the permissions of the actor, each once per request. */
  readonly hasPermission?: PermissionCheck
  /** What the commit stores for a retry; undefined unless the call carries an `Idempotency-Key`. */
  readonly idempotency?: WriteJob['idempotency'] | undefined
}

export type ProposalPlace = Pick<OpenKey, 'project' | 'environment'>

export interface StepInput extends Caller, Reference {
  /** The result of {@link findVisible}, if it is already known. */
  readonly found?: StoredChangeRequest
  readonly digest?: string | null | undefined
  /** Where the step creates another change request: the commit then waits for the proposals of the caller there. */
  readonly createsIn?: ProposalPlace
  readonly proposal?: Proposal
  readonly commentId?: number | undefined
  readonly checkName?: string | undefined
  /** The id of the change request that the schedule is to follow. */
  readonly after?: number | undefined
  changeIds?(found: ChangeRequest, facts: { readonly revert?: Revert | undefined }): number
  changesAfter?(found: ChangeRequest): readonly Pick<NewChange, 'action'>[]
}

export interface ProposalInput extends Caller, ProposalPlace {
  readonly proposal: Proposal
  /** Whether it is rejected unless it creates a change request: `If-None-Match: *`. */
  readonly mustCreate: boolean
}

export interface Reference {
  readonly project: string
  /** Undefined if the id in the path is invalid. */
  readonly id: number | undefined
}

/** @throws NotFoundError if there is none, or if it is the draft of another user. */
export function visible(stored: StoredChangeRequest | undefined, userId: number | null, id: number | undefined) {
  if (stored !== undefined) {
    const { state, createdBy } = stored.changeRequest
    if (isVisible(state, createdBy.id, userId)) return stored
  }
  throw new ChangeRequestError('NotFoundError', `There is no change request ${id ?? 'with this id'} in the project.`)
}

export async function findVisible({ storage }: Services, { project, id }: Reference, actor: Actor) {
  const stored = id === undefined ? undefined : await storage.find({ project }, id)
  return visible(stored, actor.id, id)
}
