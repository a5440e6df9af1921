import { targetPart } from '../../domain/actions/table'
import type { Author, ChangeRequest, NewChange } from '../../domain/change-request'
import { inApplyOrder } from '../../domain/flags/apply-order'
import type { Outlook } from '../../kernel/flags/flag-state'
import type { ApplicableChange, ApplyContext } from '../../ports/flags'

/** Copies of the changes for the gateway, which may alter them, in the order in which they are safe to carry out. */
export function copyChanges({ changes }: ChangeRequest, { defaultChanges }: Outlook): ApplicableChange[] {
  // Each has the payload of its action: it was checked when it was proposed.
  return structuredClone(inApplyOrder(changes, defaultChanges)) as ApplicableChange[]
}

/** The same for a gateway that takes part in no transaction: with what the changes were checked against (extensions 5). */
export function copyExpectingChanges(changeRequest: ChangeRequest, outlook: Outlook): ApplicableChange[] {
  const { before } = outlook
  return copyChanges(changeRequest, outlook).map((change) => {
    const expected = before && targetPart(change as NewChange, before)
    return expected === undefined ? change : { ...change, expected }
  })
}

/** A copy of the flags as they are now: snapshots must not change with the objects of the gateway. */
export function copyOutlook(outlook: Outlook): Outlook {
  return { ...outlook, before: structuredClone(outlook.before) }
}

/** What the gateway gets beside the changes. */
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
