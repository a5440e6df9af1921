import type { Target } from '../actions/action'
import { definitionOf } from '../actions/table'
import type { NewChange } from '../change-request'

/** The fields of a value, by name; `*` is any name. The elements of a `list` have no names, so it is one field. */
type Fields = 'value' | 'list' | { readonly [name: string]: Fields }

const variant = {
  name: 'value',
  weight: 'value',
  weightType: 'value',
  stickiness: 'value',
  payload: { type: 'value', value: 'value' },
} as const

const strategy = {
  id: 'value',
  name: 'value',
  title: 'value',
  disabled: 'value',
  sortOrder: 'value',
  constraints: 'list',
  parameters: { '*': 'value' },
  segments: 'list',
  variants: { '*': variant },
} as const

/** What a change can alter: the parts of a flag or segment as a review shows them. An order has a field for each strategy. */
const fieldsOf: { readonly [target in Target]: Fields } = {
  segment: { id: 'value', name: 'value', description: 'value', project: 'value', constraints: 'list' },
  flag: { archived: 'value' },
  switch: { enabled: 'value', strategies: { '*': strategy } },
  strategy,
  strategies: { order: { '*': { id: 'value', sortOrder: 'value' } } },
  variants: { variants: { '*': { ...variant, overrides: 'list' } } },
  parents: { dependencies: { '*': { feature: 'value', enabled: 'value', variants: 'list' } } },
  'release plan': { id: 'value', templateId: 'value' },
  milestone: {
    id: 'value',
    planId: 'value',
    paused: 'value',
    targetMilestone: 'value',
    transitionCondition: { intervalMinutes: 'value' },
    strategies: { '*': { ...strategy, milestoneId: 'value', started: 'value' } },
  },
  safeguard: {
    planId: 'value',
    safeguardId: 'value',
    safeguard: {
      id: 'value',
      impactMetric: {
        metricName: 'value',
        timeRange: 'value',
        aggregationMode: 'value',
        labelSelectors: { '*': 'list' },
        source: 'value',
      },
      triggerCondition: { operator: 'value', threshold: 'value' },
    },
  },
}

/** The kind of the part that a change alters. What it adds is a strategy, not the order of the strategies. */
export function partKindOf(change: Pick<NewChange, 'action'>): Target {
  const { target, added } = definitionOf(change)
  return target === 'strategies' && added !== undefined ? 'strategy' : target
}

type Found = 'field' | 'in a list' | 'none'

function find(fields: Fields, [name, ...names]: readonly string[]): Found {
  if (name === undefined) return 'field'
  if (typeof fields === 'string') return fields === 'list' ? 'in a list' : 'none'
  const own = Object.hasOwn(fields, name) ? name : '*'
  const inside = name === '*' ? Object.values(fields) : own in fields ? [fields[own] as Fields] : []
  return best(inside.map((one) => find(one, names)))
}

function best(found: readonly Found[]): Found {
  return (['field', 'in a list'] as const).find((one) => found.includes(one)) ?? 'none'
}

const allKinds = Object.keys(fieldsOf) as Target[]

/** Where a pointer leads: to a field of one of these parts, only into lists whose elements have no names, or to nothing known. */
export function findField(names: readonly string[], kinds: readonly Target[] = allKinds): Found {
  return best(kinds.map((kind) => find(fieldsOf[kind], names)))
}

/** Whether a part of this kind can have the field. Of a field that is not known here, any part may be the one. */
export function canHave(kind: Target, names: readonly string[]): boolean {
  return findField(names, [kind]) === 'field' || findField(names) === 'none'
}
