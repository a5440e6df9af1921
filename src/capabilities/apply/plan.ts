import { targetPart } from '../../domain/actions/table'
import type { Author, ChangeRequest, NewChange } from '../../domain/change-request'
import type { ApplyCommand } from '../../domain/decisions/apply'
import type { FlagState } from '../../domain/flag-state'
import { inApplyOrder } from '../../domain/flags/apply-order'
import type { ApplyPreview } from '../../kernel/host/flag-state'
import type { ApplicableChange, ApplyContext } from '../../ports/flags'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

export interface Plan {
  readonly loaded: StoredChangeRequest
  readonly command: ApplyCommand & Required<Pick<ApplyCommand, 'record'>>
  readonly preview: ApplyPreview
}

/** Plans again with the flags that the transaction locked. Rejects if the changes cannot be applied to them. */
export type Replan = (flags: FlagState | undefined) => Promise<Plan>

/** The changes in a safe order, as copies, because the gateway may alter them. */
export function copyChanges({ changes }: ChangeRequest, { defaultChanges }: ApplyPreview): ApplicableChange[] {
  // Each payload is valid for its action: it was checked when it was proposed.
  return structuredClone(inApplyOrder(changes, defaultChanges)) as ApplicableChange[]
}

/** The same for a gateway without a shared transaction, with `expected`: the checked state of each target (contract 16). */
export function copyExpectingChanges(changeRequest: ChangeRequest, preview: ApplyPreview): ApplicableChange[] {
  const { before } = preview
  return copyChanges(changeRequest, preview).map((change) => {
    const expected = before && targetPart(change as NewChange, before)
    return expected === undefined ? change : { ...change, expected }
  })
}

/** Copies the flags, so that snapshots do not change if the gateway alters its objects. */
export function copyPreview(preview: ApplyPreview): ApplyPreview {
  return { ...preview, before: structuredClone(preview.before) }
}

export function applyContext(
  { id, project, environment }: ChangeRequest,
  { person, signature }: Author,
  applyId: string,
  transaction?: unknown,
): ApplyContext {
  return {
    changeRequestId: id,
    project,
    environment,
    appliedBy: { id: person.id, username: person.username, signature },
    applyId,
    transaction,
  }
}
