import type { CauseView } from '../../../../generated'
import type { EffectChange, ImpliedChange } from '../effects/effects'
import type { SegmentNames } from '../fields/labels'
import type { FieldDiff } from '../fields/row'
import { isObject, type Json, type JsonObject, objectOf, shown, textIn } from '../json'

/** A change of the review. */
export interface ReviewChangeLike {
  readonly id: number
  readonly action: string
  readonly feature: string | null
  readonly before?: JsonObject | null
  readonly after?: JsonObject | null
  readonly fields?: readonly FieldDiff[] | null
  readonly conflict: string | null
  readonly baseKnown?: boolean
  readonly endsAtEverybody?: boolean | null
  readonly causedBy?: CauseView | null
}

interface Person {
  readonly id: number
  readonly username?: string | null
}

/** A change as the change request has it. */
export interface StoredChangeLike {
  readonly id: number
  readonly action: string
  readonly payload: Json
  readonly name?: string
  readonly conflict?: string
  readonly createdBy?: Person
  readonly createdAt?: string
  readonly scheduleConflicts?: { readonly changeRequests: readonly { readonly id: number; readonly title?: string }[] }
}

export interface ChangeRequestLike {
  readonly features: readonly {
    readonly name: string
    readonly changes: readonly StoredChangeLike[]
    readonly conflict?: string
    readonly defaultChange?: ImpliedChange
  }[]
  readonly segments: readonly StoredChangeLike[]
}

/** All that is known of a change. */
export interface ChangeItem extends EffectChange {
  /** False if unknown, too. */
  readonly endsAtEverybody: boolean
  readonly causedBy: CauseView | null
  readonly createdBy: Person | undefined
  readonly createdAt: string | undefined
  /** Other scheduled change requests of the same target. */
  readonly otherScheduled: readonly { readonly id: number; readonly title?: string }[]
  /** False if the current state is unknown: the fields are those that were sent. */
  readonly nowKnown: boolean
}

/** A flag or segment with its changes. */
export interface TargetItem {
  readonly key: string
  readonly name: string
  readonly kind: 'flag' | 'segment'
  readonly changes: readonly ChangeItem[]
  readonly implied: ImpliedChange | undefined
}

/** The changes by flag, then those of segments, with what the review says about each. */
export function toTargets(
  changes: readonly ReviewChangeLike[],
  request: ChangeRequestLike,
  segmentNames?: SegmentNames,
): readonly TargetItem[] {
  const reviewed = new Map(changes.map((change) => [change.id, change]))
  const flags = request.features.map((feature): TargetItem => {
    const items = feature.changes.map((stored) => ({
      ...toItem(stored, reviewed.get(stored.id), feature.name, feature.conflict),
      segmentNames,
    }))
    return {
      key: `flag ${feature.name}`,
      name: feature.name,
      kind: 'flag',
      changes: items,
      implied: feature.defaultChange,
    }
  })
  const segments = new Map<Json, TargetItem>()
  for (const stored of request.segments) {
    const { id } = objectOf(stored.payload)
    const known = segments.get(id)
    const name = known?.name ?? (stored.name || textIn(stored.payload, 'name') || `segment ${shown(id)}`)
    const changes = [...(known?.changes ?? []), toItem(stored, reviewed.get(stored.id), null)]
    segments.set(id, { key: `segment ${shown(id)}`, name, kind: 'segment', changes, implied: undefined })
  }
  const ofSegments = [...segments.values()]
  return [...flags, ...ofSegments]
}

function toItem(
  stored: StoredChangeLike,
  reviewed: ReviewChangeLike | undefined,
  feature: string | null,
  ofFlag?: string,
): ChangeItem {
  const { id, action, createdBy, createdAt, scheduleConflicts, name } = stored
  const { snapshot, ...rest } = objectOf(stored.payload)
  const payload = isObject(stored.payload) ? rest : stored.payload
  const known = reviewed && isKnown(reviewed) ? reviewed : undefined
  // An added strategy does not depend on the flags.
  const added = action === 'addStrategy' ? rest : null
  return {
    id,
    action,
    feature,
    payload,
    ...(name !== undefined && { name }),
    before: known?.before ?? null,
    after: known ? (known.after ?? null) : added,
    fields: known ? (known.fields ?? []) : sentFields(action, payload),
    endsAtEverybody: reviewed?.endsAtEverybody === true,
    conflict: reviewed?.conflict ?? stored.conflict ?? ofFlag ?? null,
    causedBy: reviewed?.causedBy ?? null,
    createdBy,
    createdAt,
    otherScheduled: scheduleConflicts?.changeRequests ?? [],
    nowKnown: known !== undefined,
  }
}

/** The review has no fields if the flags are unknown, and for actions whose targets the gateway does not return. */
function isKnown({ before = null, after = null, fields, action }: ReviewChangeLike): boolean {
  return (
    (fields ?? []).length > 0 || (!opaque.some((word) => action.includes(word)) && (before !== null || after !== null))
  )
}

const opaque = ['Milestone', 'Progression', 'Safeguard']

/** The fields that the client sent; what they replace is unknown. */
function sentFields(action: string, payload: Json): readonly FieldDiff[] {
  const fields = Object.entries(sentValues(action, payload)).map(([name, proposed]): FieldDiff => {
    return { path: `/${name}`, base: null, current: null, proposed, overwrites: false }
  })
  return fields.filter(({ path }) => path !== '/id')
}

function sentValues(action: string, payload: Json): JsonObject {
  if (action === 'archiveFeature') return { archived: true }
  if (action === 'reorderStrategy') return { order: payload }
  if (action === 'addDependency') return { dependencies: [payload] }
  if (action === 'deleteDependency') return {}
  const { shouldActivateDisabledStrategies, ...sent } = objectOf(payload)
  return sent
}
