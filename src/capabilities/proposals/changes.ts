import type { ChangeRequest, ProposedChange } from '../../domain/change-request'
import * as decisions from '../../domain/decisions/changes'
import { voidsVotes } from '../../domain/steps/votes'
import { ChangeRequestError } from '../../errors'
import { hashOf } from '../../kernel/digest'
import { changeLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import { performProposal } from '../../kernel/step/propose'
import { type Caller, findVisible, type Reference } from '../../kernel/step/step-input'
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
    if (current === undefined) return decisions.createChangeRequest({ ...place, id: ids.changeRequest }, addition)
    const refused = voidsVotes(current) ? rejectVoiding?.(current) : undefined
    if (refused !== undefined) throw refused
    return decisions.addChanges(current, addition)
  })
}

interface ChangeReference extends Caller, Reference {
  /** Undefined if the id in the path is invalid. */
  readonly changeId: number | undefined
}

export async function editChange(
  services: Services,
  { change, ...input }: ChangeReference & { readonly change: ProposedChange },
): Promise<StoredChangeRequest> {
  const { found, changeId } = await findTheChange(services, input)
  const limits = changeLimitsOf(services.options.limits)
  const edit = {
    ...input,
    found,
    proposal: { changes: [change], listed: false, replaces: changeId },
    changeIds: () => 1,
    changesAfter: (current: ChangeRequest) => [...othersOf(current, changeId), change],
  }
  return performStep(services, 'edit', edit, (current, command) => {
    const newId = command.ids.changes[0] as number
    return decisions.editChange(current, { ...command, changeId, change, newId, limits, hash: hashOf })
  })
}

export async function discardChange(services: Services, input: ChangeReference): Promise<StoredChangeRequest> {
  const { found, changeId } = await findTheChange(services, input)
  const changesAfter = (current: ChangeRequest) => othersOf(current, changeId)
  return performStep(services, 'discardChange', { ...input, found, changesAfter }, (current, command) =>
    decisions.discardChange(current, command, changeId),
  )
}

export async function discardDraft(services: Services, input: Caller & Reference): Promise<void> {
  await performStep(services, 'discard', input, decisions.discardDraft)
}

function othersOf({ changes }: ChangeRequest, changeId: number) {
  return changes.filter(({ id }) => id !== changeId)
}

/** Checks that the change exists before the permission is checked (contract 11.4). */
async function findTheChange(services: Services, { changeId, ...reference }: ChangeReference) {
  const found = await findVisible(services, reference, reference.actor)
  if (changeId === undefined) throw new ChangeRequestError('NotFoundError', 'There is no such change.')
  return { found, changeId: decisions.findChange(found.changeRequest, changeId).id }
}
