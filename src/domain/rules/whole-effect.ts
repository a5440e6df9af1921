import type { Target, TargetPart } from '../actions/action'
import { copyOf } from '../actions/shared'
import { definitionOf, targetPart, unseenIn } from '../actions/table'
import type { ChangeRequest, JsonValue } from '../change-request'
import { changeSubject, groupBy } from '../content/grouping'
import { type AppliedStep, applySteps, startOf } from '../diff/diff'
import type { FlagState } from '../flag-state'
import { partKindOf } from './part-fields'

/** A part of a flag or segment before and after all changes and implied changes; undefined where it is unknown. */
export interface WholePart {
  readonly kind: Target
  readonly before: TargetPart
  readonly after: TargetPart
  /** The changes of exactly this part, in the order in which they are applied. */
  readonly steps: readonly AppliedStep[]
  /** The last change of the flag or segment. */
  readonly last: AppliedStep
}

/** By subject, the parts that a change request can alter. */
export type WholeEffect = ReadonlyMap<string, readonly WholePart[]>

/**
 * What a change request does to each flag and segment as a whole, however many changes it takes; undefined if the flags are
 * unknown. A closed one is compared with the snapshots stored in it.
 */
export function wholeEffectOf(changeRequest: ChangeRequest, state: FlagState | undefined): WholeEffect | undefined {
  const { flags, ...start } = startOf(changeRequest, state)
  if (flags === undefined) return undefined
  const { applied, after } = applySteps({ ...start, flags })
  const withoutBase = new Set(start.changes.flatMap(({ id, base }) => (base === undefined ? id : [])))
  const parts = [...groupBy(applied, ({ change }) => changeSubject(change))].map(([subject, steps]) => {
    const groups = [...groupBy(steps, partKey).values()]
    const whole = groups.map((group) => {
      const part = wholePart(group, flags, after)
      const isUnknown =
        part.before === undefined || group.some(({ change: { id } }) => id !== null && withoutBase.has(id))
      return { ...part, ...(isUnknown && unknownPart), steps: group }
    })
    const last = steps.at(-1) as AppliedStep
    return [subject, [...whole, ...sideEffects(steps, flags, after)].map((part) => ({ ...part, last }))] as const
  })
  return new Map(parts)
}

const unknownPart = { before: undefined, after: undefined }

/** Changes of the same part have the same key. What a change adds is a part of its own. */
function partKey({ change }: AppliedStep): string {
  const { action, payload } = change
  if (definitionOf(change).added !== undefined) return JSON.stringify([action, change.id])
  const ids = (payload ?? {}) as { readonly [name: string]: JsonValue }
  return JSON.stringify([action, ids.id ?? ids.milestoneId ?? ids.sourceMilestone ?? ids.planId ?? null])
}

type Part = Pick<WholePart, 'kind' | 'before' | 'after'>

function wholePart(steps: readonly AppliedStep[], flags: FlagState, afterAll: FlagState): Part {
  const { change, after: added } = steps[0] as AppliedStep
  const kind = partKindOf(change)
  const before = targetPart(change, flags)
  if (definitionOf(change).added !== undefined) return { kind, before, after: added }
  const after = targetPart(change, afterAll)
  const sent = copyOf(Object.assign({}, ...steps.map((one) => unseenIn(one.change)))) as NonNullable<TargetPart>
  return { kind, before, after: Object.keys(sent).length === 0 ? after : { ...after, ...sent } }
}

/** What is altered without being named: strategies that are activated or reordered, and the parents of an archived flag. */
function sideEffects(steps: readonly AppliedStep[], before: FlagState, after: FlagState) {
  const { feature } = (steps[0] as AppliedStep).change
  const [was, is] = feature === null ? [] : [before.features.get(feature), after.features.get(feature)]
  if (was === undefined || is === undefined) return []
  const named = new Set(steps.map(({ change }) => (change.payload as { readonly id?: unknown } | null)?.id))
  const remaining = new Map(is.strategies?.map((one) => [one.id, one]))
  const strategies = (was.strategies ?? []).flatMap((one) => {
    const left = remaining.get(one.id)
    return left === undefined || left === one || named.has(one.id)
      ? []
      : [{ kind: 'strategy' as const, before: copyOf(one), after: copyOf(left) }]
  })
  const { dependencies } = is
  const parents =
    was.dependencies && dependencies && was.dependencies !== dependencies
      ? [
          {
            kind: 'parents' as const,
            before: copyOf({ dependencies: [...was.dependencies] }),
            after: copyOf({ dependencies: [...dependencies] }),
          },
        ]
      : []
  return [...strategies, ...parents].map((part) => ({ ...part, steps: [] }))
}
