import type { ChangeRequest, NewChange } from '../../domain/change-request'
import {
  discardChange as decideDiscard,
  discardDraft as decideDiscardDraft,
  editChange as decideEdit,
  findChange,
} from '../../domain/decisions/changes'
import { ChangeRequestError } from '../../errors'
import { reachOf } from '../../kernel/facts/reach'
import { unknownFeaturesError } from '../../kernel/facts/unknown-flags'
import { refuseForeignSegments, validateProposal } from '../../kernel/facts/validate'
import { hashOf } from '../../kernel/flags/digest'
import { currentFlags, subjectsOf } from '../../kernel/flags/flag-state'
import { changeLimitsOf, type Services } from '../../kernel/services'
import { type Caller, writeExisting } from '../../kernel/steps'
import { findVisible, type Reference } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

interface ChangeReference extends Caller, Reference {
  /** Undefined: the id in the path can name nothing. */
  readonly changeId: number | undefined
}

/** Replaces one change by another, which gets a new id (contract 3.5). */
export async function editChange(
  services: Services,
  input: ChangeReference & { readonly change: NewChange },
): Promise<StoredChangeRequest> {
  const { found, changeId } = await findTheChange(services, input)
  const unknown = await unknownFeaturesError(services, input.project, [input.change])
  const limits = changeLimitsOf(services.options.limits)
  const { actor, change } = input
  const gather = async ({ changeRequest }: StoredChangeRequest) => {
    const { project, environment } = changeRequest
    if (unknown !== undefined) return { rejected: undefined, invalid: [], gatedMinimum: undefined }
    const [present, verdict, { gatedMinimum }] = await Promise.all([
      currentFlags(services, subjectsOf({ project, environment }, [change])),
      validateProposal(services, [change], { project, environment, actor }, false),
      reachOf(services, { project, environment, changes: [...othersOf(changeRequest, changeId), change] }),
    ])
    const foreign = refuseForeignSegments(services, [change], { project, present, listed: false })
    return { ...verdict, invalid: [...verdict.invalid, ...foreign], present, gatedMinimum }
  }
  return writeExisting(services, input, {
    ...input,
    found,
    step: 'edit',
    changeIds: () => 1,
    obstacle: (answers) => unknown ?? answers?.rejected,
    gather,
    decide({ changeRequest }, occasion, answers) {
      const edit = { ...occasion, ...answers, changeId, limits, hash: hashOf }
      return decideEdit(changeRequest, edit, change, occasion.ids.changes[0])
    },
  })
}

/** Removes one change. */
export async function discardChange(services: Services, input: ChangeReference): Promise<void> {
  const { found, changeId } = await findTheChange(services, input)
  await writeExisting(services, input, {
    ...input,
    found,
    step: 'discardChange',
    async gather({ changeRequest }) {
      const { project, environment } = changeRequest
      return reachOf(services, { project, environment, changes: othersOf(changeRequest, changeId) })
    },
    decide: ({ changeRequest }, occasion, { gatedMinimum }) =>
      decideDiscard(changeRequest, { ...occasion, changeId, gatedMinimum }),
  })
}

/** Removes a draft; its events stay. */
export async function discardDraft(services: Services, input: Caller & Reference): Promise<void> {
  await writeExisting(services, input, {
    ...input,
    step: 'discard',
    decide: ({ changeRequest }, occasion) => decideDiscardDraft(changeRequest, occasion),
  })
}

function othersOf({ changes }: ChangeRequest, changeId: number) {
  return changes.filter(({ id }) => id !== changeId)
}

/** A change that does not exist is reported before a missing permission (contract 11.4). */
async function findTheChange(services: Services, { changeId, ...reference }: ChangeReference) {
  const found = await findVisible(services, reference, reference.actor)
  if (changeId === undefined) throw new ChangeRequestError('NotFoundError', 'There is no such change.')
  return { found, changeId: findChange(found.changeRequest, changeId).id }
}
