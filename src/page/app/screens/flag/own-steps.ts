import type { SubmittedChange } from '../../../../generated'
import type { ChangeItem, TargetItem } from '../../words/content/items'
import { isSame, type JsonObject, objectOf, shown } from '../../words/json'
import { baseOf, mergedWith } from '../authoring/model/merge'
import { targetOf } from '../authoring/model/payload'

/** A call on the caller's open change request. */
export type OwnStep =
  /** `given` is the change as it is edited, `change` also has what the replaced one alters otherwise. */
  | Readonly<{ kind: 'replace'; item: ChangeItem; given: SubmittedChange; change: SubmittedChange }>
  | { readonly kind: 'discard'; readonly item: ChangeItem }
  | { readonly kind: 'add' | 'propose'; readonly changes: readonly SubmittedChange[] }
  | { readonly kind: 'cancel' }

/**
 * The steps that put changes into an open change request: one that alters what the request alters already replaces that change,
 * all others are added. Afterwards, the request has one change for each of these targets.
 */
export function stepsInto(targets: readonly TargetItem[], changes: readonly SubmittedChange[]): readonly OwnStep[] {
  const items = targets.flatMap((target) => target.changes)
  const left = new Set(items)
  const steps: OwnStep[] = []
  const added: SubmittedChange[] = []
  for (const change of changes) {
    const replaced = items.filter((item) => left.has(item) && isSameTarget(item, change))
    const item = replaced.pop()
    if (item === undefined) {
      added.push(change)
      continue
    }
    const earlier = replaced.map((one): OwnStep => ({ kind: 'discard', item: one }))
    const kept = [item, ...replaced.reverse()].reduce(withRest, change)
    steps.push({ kind: 'replace', item, given: change, change: kept }, ...earlier)
    for (const one of [item, ...replaced]) left.delete(one)
  }
  return added.length === 0 ? steps : [...steps, { kind: 'add', changes: added }]
}

/** The steps that end the open change request, and propose only these changes. */
export const stepsInstead = (changes: readonly SubmittedChange[]): readonly OwnStep[] => [
  { kind: 'cancel' },
  { kind: 'propose', changes },
]

function isSameTarget(item: ChangeItem, change: SubmittedChange): boolean {
  const feature = 'feature' in change ? change.feature : undefined
  return item.feature === (feature ?? null) && nameOfTarget(item) === nameOfTarget(change)
}

/** What a change alters in its flag or segment. What is added is no target of another change. */
function nameOfTarget(change: { readonly action: string; readonly payload?: unknown }): string {
  const { action } = change
  const payload = objectOf(change.payload)
  const name = targetOf(action, payload)
  switch (name) {
    case 'activation':
      return 'enabled'
    case 'dependencies':
      return `parent ${shown(payload.feature)}`
    case 'segment':
      return `segment ${shown(payload.id)}`
    case undefined:
      return `${action} ${shown(payload)}`
    default:
      return name
  }
}

const merging: ReadonlySet<string> = new Set(['updateStrategy', 'updateMilestoneStrategy', 'updateSegment'])

/** The change with what the replaced one alters otherwise: nothing is lost but what both alter. */
function withRest(change: SubmittedChange, { action, payload, fields }: ChangeItem): SubmittedChange {
  if (change.action !== action || !merging.has(action)) return change
  const before = objectOf(payload)
  const current = objectOf(
    baseOf(
      before,
      fields.map((field) => ({ ...field, base: field.current })),
    ),
  )
  const own: JsonObject = { ...current, ...objectOf(change.payload) }
  const merged = objectOf(mergedWith(current, before, own))
  return isSame(merged, change.payload) ? change : ({ ...change, payload: merged } as SubmittedChange)
}
