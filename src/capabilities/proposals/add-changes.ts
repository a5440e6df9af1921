import type { ChangeRequest, ProposedChange } from '../../domain/change-request'
import { createChangeRequest, addChanges as decideAdd, emptyDraft } from '../../domain/decisions/changes'
import { voidsVotes } from '../../domain/steps/votes'
import type { ChangeRequestError } from '../../errors'
import { hashOf } from '../../kernel/digest'
import { requirePerson } from '../../kernel/host/author'
import { changeLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import type { Caller } from '../../kernel/step/prepare-step'
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
export async function addChanges(services: Services, input: AddChanges): Promise<StoredChangeRequest> {
  const { actor, ip, project, environment, changes, listed = true, rejectVoiding } = input
  const author = requirePerson(actor, ip, services)
  const place = { project, environment }
  // Used for the facts until the open change request is loaded. It is never stored, so its time does not matter.
  const draft = emptyDraft({ id: 0, ...place }, author, '')
  const proposing = {
    ...input,
    id: undefined,
    found: { version: 0, changeRequest: draft },
    proposesIn: place,
    proposal: { changes, listed },
    changeIds: () => changes.length,
    changesAfter: (current: ChangeRequest) => [...current.changes, ...changes],
  }
  const limits = changeLimitsOf(services.options.limits)
  return performStep(services, 'add', proposing, (current, { ids, ...command }) => {
    const refused = voidsVotes(current) ? rejectVoiding?.(current) : undefined
    if (refused !== undefined) throw refused
    const pathOf = (index: number) => (listed ? `/body/${index}` : '/body')
    const addition = { ...command, changes, pathOf, changeIds: ids.changes, author, limits, hash: hashOf }
    return current.id === draft.id
      ? createChangeRequest({ ...place, id: ids.changeRequest }, addition)
      : decideAdd(current, addition)
  })
}
