import type { KnownPart } from '../actions/action'
import { definitionOf, segmentId, withSubject } from '../actions/table'
import type { AppliedDefault, Change, ChangeRequest, NewChange } from '../change-request'
import type { FeatureState, FlagState, SegmentState } from '../flag-state'
import { findActivations, findDefaultChanges } from '../flags/default-changes'

type Closing = Pick<Change, 'snapshot' | 'base'>

/**
 * Stores with each change its target as it was before the change request was closed (contract 5.2), in place of its base.
 * If the flags are unknown, nothing is stored: the base is older.
 */
export function withSnapshots(current: ChangeRequest, before: FlagState | undefined): ChangeRequest {
  const changes = current.changes.map(({ base, rebasedAt, ...change }): Change => {
    return { ...change, ...(before && closingOf(change, before)) }
  })
  return { ...current, changes }
}

function closingOf(change: NewChange, before: FlagState): Closing {
  const { targetPart, hasSnapshot } = definitionOf(change)
  const part = withSubject(targetPart, change, before)
  if (part === undefined) return {}
  return hasSnapshot && part !== null ? { snapshot: part } : { base: part }
}

/** The part of the target that a change of a closed change request could alter; undefined if unknown. */
export function closingPart({ snapshot, base }: Closing): KnownPart | undefined {
  return (snapshot ?? base) as KnownPart | undefined
}

/** Only what its changes can alter is read from it. */
const unknownFeature: FeatureState = { archived: false, enabled: false }

/** The flags right before the change request was closed, as far as the changes store them. */
export function closingFlags(changes: readonly (Change | AppliedDefault)[]): FlagState {
  const features = new Map<string, FeatureState>()
  const segments = new Map<number, SegmentState>()
  for (const change of changes) {
    const { feature, payload } = change
    const part = closingPart(change)
    if (part === undefined) continue
    const { withPart } = definitionOf(change)
    if (feature !== null) {
      features.set(feature, withPart(payload, part, features.get(feature) ?? unknownFeature) as FeatureState)
    } else if (part !== null) {
      segments.set(segmentId(change), withPart(payload, part, undefined) as SegmentState)
    }
  }
  return { features, segments }
}

export interface Created {
  readonly changeId: number | null
  readonly feature: string
  readonly id: string
}

/** Stores the other data that a revert needs (contract 17). */
export function withTraces(
  current: ChangeRequest,
  before: FlagState | undefined,
  created: readonly Created[],
): ChangeRequest {
  const idOf = (changeId: number | null, feature: string | null): Pick<Change, 'created'> => {
    const found = created.find((one) => one.changeId === changeId && one.feature === feature)
    return found === undefined ? {} : { created: found.id }
  }
  const withIds = current.changes.map((change): Change => ({ ...change, ...idOf(change.id, change.feature) }))
  if (before === undefined) return { ...current, changes: withIds }
  const found = findDefaultChanges(current, before)
  const activations = findActivations(current.changes, found, before)
  const changes = withIds.map((change): Change => {
    const activated = activations.get(change.id)?.map(({ id }) => id)
    return activated === undefined ? change : { ...change, activated }
  })
  const defaultChanges = [...found.values()].map(
    (change): AppliedDefault => ({ ...change, ...closingOf(change, before), ...idOf(null, change.feature) }),
  )
  return { ...current, changes, ...(defaultChanges.length === 0 ? {} : { defaultChanges }) }
}
