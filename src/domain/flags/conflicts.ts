import { missingMention } from '../actions/shared'
import { definitionOf, withSubject } from '../actions/table'
import type { ChangeRequest } from '../change-request'
import { phraseOf } from '../content/phrases'
import type { FlagState } from '../flag-state'
import { findDefaultChanges } from './default-changes'

/** Why changes cannot be applied (contract 5.6): by flag, and by the id of the change. */
export interface Conflicts {
  readonly features: ReadonlyMap<string, string>
  readonly changes: ReadonlyMap<number, string>
}

export const noConflicts: Conflicts = { features: new Map(), changes: new Map() }

export function findConflicts(changeRequest: ChangeRequest, state: FlagState): Conflicts {
  const features = new Map<string, string>()
  const ofChanges = new Map<number, string>()
  for (const feature of flagsWithMissing(changeRequest, state)) {
    features.set(feature, 'Segment of the default strategy has been deleted')
  }
  for (const change of changeRequest.changes) {
    if (change.feature !== null) {
      const flag = state.features.get(change.feature)
      if (flag === undefined) features.set(change.feature, 'Feature has been deleted')
      else if (flag.archived) features.set(change.feature, 'Feature has been archived')
    }
    const { conflict: find } = definitionOf(change)
    const context = { feature: change.feature, missing: state.missing }
    const conflict = withSubject((payload, subject) => find?.(payload, subject, context), change, state)
    if (conflict !== undefined) ofChanges.set(change.id, conflict)
  }
  return { features, changes: ofChanges }
}

/** The flags to which the default strategy would be added, if it has a segment that does not exist. */
function flagsWithMissing(changeRequest: ChangeRequest, state: FlagState): readonly string[] {
  const { missing, defaultStrategy = {} } = state
  if (missingMention(defaultStrategy, { missing }) === undefined) return []
  const implied = [...findDefaultChanges(changeRequest, state)]
  return implied.flatMap(([feature, { action }]) => (action === 'addStrategy' ? feature : []))
}

export function listConflicts(
  { changes: proposed }: Pick<ChangeRequest, 'changes'>,
  { features, changes }: Conflicts,
): string[] {
  return [
    ...[...features].map(([feature, conflict]) => `${feature}: ${conflict}`),
    ...proposed.flatMap((change) => {
      const conflict = changes.get(change.id)
      return conflict === undefined ? [] : `${phraseOf(change)}: ${conflict}`
    }),
  ]
}
