import type { TargetPart } from '../../domain/actions/action'
import { type RestoringChange, type Revert, revertOf } from '../../domain/diff/revert'
import type { RevertFacts } from '../../domain/steps/facts'
import { unknownFeatures } from '../host/unknown-flags'
import type { FactContext } from './fact-context'
import { draftFacts } from './new-draft'

/** The changes that a revert would propose, validated. */
export async function revertFacts(
  context: FactContext,
  possible: Revert | undefined,
): Promise<RevertFacts | undefined> {
  return (
    possible && { ...possible, ...(await draftFacts(context, possible.changes, possible.changes.map(restoredPart))) }
  )
}

/** A revert is never invalid for what the target had before. */
function restoredPart({ restores }: RestoringChange): TargetPart {
  return restores as TargetPart
}

/** The changes that revert it, and those that cannot be reverted. */
export async function possibleRevert({ services, changeRequest }: FactContext): Promise<Revert | undefined> {
  if (changeRequest.state !== 'Applied') return undefined
  const missing = new Set(await unknownFeatures(services, changeRequest.project, changeRequest.changes))
  return revertOf(changeRequest, (change) => !missing.has(change.feature ?? '') && services.accepts(change))
}
