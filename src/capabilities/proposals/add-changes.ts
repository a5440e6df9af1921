import type { ChangeRequest, ProposedChange } from '../../domain/change-request'
import { createChangeRequest, addChanges as decideAdd } from '../../domain/decisions/changes'
import { voidsVotes } from '../../domain/steps/votes'
import type { ChangeRequestError } from '../../errors'
import { hashOf } from '../../kernel/digest'
import { changeLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performProposal } from '../../kernel/step/propose'
import type { Caller } from '../../kernel/step/step-input'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

export interface AddChanges extends Caller {
  readonly project: string
  readonly environment: string
  readonly changes: readonly ProposedChange[]
  /** False if the body is a single change. Paths in error details then have no position. */
  readonly listed?: boolean
  /** Whether the changes must become a change request of their own: `If-None-Match: *` (contract 2.4). */
  readonly mustCreate?: boolean
  /** Creates the error for changes that would void votes. If absent, the votes are voided. */
  readonly rejectVoiding?: (current: ChangeRequest) => ChangeRequestError
}

/** Adds changes to the caller's open change request of the project and environment, or to a new one (contract 3.3). */
export function addChanges(services: Services, input: AddChanges): Promise<StoredChangeRequest> {
  const { project, environment, changes, listed = true, mustCreate = false, rejectVoiding, ...caller } = input
  const place = { project, environment }
  const limits = changeLimitsOf(services.options.limits)
  const proposing = { ...caller, ...place, proposal: { changes, listed }, mustCreate }
  return performProposal(services, proposing, (current, { ids, by: { author }, ...command }) => {
    const pathOf = (index: number) => (listed ? `/body/${index}` : '/body')
    const addition = { ...command, changes, pathOf, changeIds: ids.changes, author, limits, hash: hashOf }
    if (current === undefined) return createChangeRequest({ ...place, id: ids.changeRequest }, addition)
    const refused = voidsVotes(current) ? rejectVoiding?.(current) : undefined
    if (refused !== undefined) throw refused
    return decideAdd(current, addition)
  })
}
