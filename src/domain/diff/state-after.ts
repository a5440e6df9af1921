import type { TargetPart } from '../actions/action'
import { copyOf } from '../actions/shared'
import { definitionOf, targetPart, unseenIn } from '../actions/table'
import type { NewChange } from '../change-request'
import type { FlagState } from '../flag-state'
import { segmentId } from '../segment-id'

type Change = NewChange & { readonly id: number | null }

export function stateAfter(change: Change, state: FlagState): FlagState {
  const { after } = definitionOf(change)
  const { feature, payload, id } = change
  if (feature === null) return { ...state, segments: replaced(state.segments, segmentId(change), alter) }
  return { ...state, features: replaced(state.features, feature, alter) }

  function alter<Subject>(subject: Subject): Subject {
    return after(payload, subject, id) as Subject
  }
}

function replaced<Key, Subject>(
  subjects: ReadonlyMap<Key, Subject>,
  key: Key,
  alter: (subject: Subject) => Subject | undefined,
): ReadonlyMap<Key, Subject> {
  const current = subjects.get(key)
  if (current === undefined) return subjects
  const altered = alter(current)
  const all = new Map(subjects)
  if (altered === undefined) all.delete(key)
  else all.set(key, altered)
  return all
}

/**
 * The part of the target after the change, with what the change sets of it that the gateway does not return: null if it is
 * deleted, undefined if it is unknown.
 */
export function partAfter(change: Change, before: FlagState, after = stateAfter(change, before)): TargetPart {
  const { added } = definitionOf(change)
  const { feature, payload } = change
  if (added !== undefined) return feature !== null && !before.features.has(feature) ? null : added(payload)
  const part = targetPart(change, after)
  const sent = copyOf(unseenIn(change)) as NonNullable<TargetPart>
  return Object.keys(sent).length === 0 ? part : { ...part, ...sent }
}
