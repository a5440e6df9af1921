import type { ActionDefinition, KnownPart } from '../../../src/domain/actions/action'
import { definitionOf, targetPart } from '../../../src/domain/actions/table'
import type { JsonValue, NewChange } from '../../../src/domain/change-request'
import { withSnapshots } from '../../../src/domain/diff/snapshots'
import { alter, alterable } from '../../../src/domain/diff/state-after'
import type { FeatureState, FlagState } from '../../../src/domain/flag-state'
import { findConflicts } from '../../../src/domain/flags/conflicts'
import { flags, proposing } from './change-requests'

export const feature = 'checkout'
export const s1 = {
  id: 's1',
  name: 'default',
  disabled: false,
  title: 'everybody',
  sortOrder: 5,
  constraints: [],
  parameters: {},
}
export const s2 = { ...s1, id: 's2', disabled: true, sortOrder: 7 }
export const variants = [{ name: 'blue', weight: 1000 }]
export const dependencies = [{ feature: 'other', enabled: true, variants: [] }]
const full: FeatureState = {
  archived: false,
  enabled: true,
  strategies: [s1, s2],
  variants,
  possibleParents: ['parent'],
  dependencies,
  releasePlans: ['p1'],
  milestones: ['m1'],
  milestoneStrategies: [s1],
}
const segments = new Map([[4, { name: 'beta users', constraints: ['who'] }]])
const empty = {
  ...full,
  strategies: [],
  variants: [],
  possibleParents: [],
  releasePlans: [],
  milestones: [],
  milestoneStrategies: [],
}

/** The flag and the segment with everything that the payloads of the rows name. */
export const present = flags(full, { segments })
/** The flag without the target, and no segment. */
export const emptied = flags(empty, { segments: new Map() })
const nothing: FlagState = { features: new Map(), segments: new Map() }

export interface ActionRow {
  readonly action: NewChange['action']
  /** Payloads that name existing targets. */
  readonly payload: NewChange['payload']
  readonly is: Pick<ActionDefinition<unknown, unknown>, 'target' | 'scope' | 'stage'>
  /** The conflict after its target is deleted. */
  readonly conflict?: string
  readonly snapshot?: JsonValue
  /** The part that it can edit; undefined if the gateway does not return it. */
  readonly part: JsonValue | undefined
  /** A payload with a missing target, and the part that it can edit. */
  readonly other: readonly [payload: NewChange['payload'], part: JsonValue | undefined]
  /** The part is known even if the gateway returns nothing of the flag. */
  readonly isAlwaysKnown?: true
}

export function toChange(action: NewChange['action'], payload: NewChange['payload']): NewChange {
  return { action, feature: action.endsWith('Segment') ? null : feature, payload }
}

export const conflictOf = (change: NewChange, state: FlagState) =>
  findConflicts(proposing(change), state).changes.get(1)
export const snapshotOf = (change: NewChange, state: FlagState) =>
  withSnapshots(proposing(change), state).changes[0]?.snapshot as unknown

/** Tests the columns of a family of actions. */
export function testActions(rows: readonly ActionRow[]): void {
  const ofFlags = rows.filter(({ action }) => !action.endsWith('Segment'))

  it.each(rows)('$action is: $is', ({ action, is }) => {
    expect(definitionOf({ action })).toMatchObject(is)
  })

  it.each(rows)('$action has no conflict while its target exists', ({ action, payload }) => {
    expect(conflictOf(toChange(action, payload), present)).toBeUndefined()
  })

  it.each(rows)('$action, after its target is deleted: $conflict', ({ action, payload, conflict }) => {
    expect(conflictOf(toChange(action, payload), emptied)).toBe(conflict)
  })

  if (ofFlags.length > 0) {
    it.each(ofFlags)('$action has no conflict if the gateway returns nothing', ({ action, payload }) => {
      expect(conflictOf(toChange(action, payload), flags())).toBeUndefined()
    })
  }

  it.each(rows)('$action: $payload is its target, without the other properties of the payload', (row) => {
    const { action, payload, conflict } = row
    const stray = { id: 's1', planId: 'p1', sourceMilestone: 'm1', milestoneId: 'm1', ...(payload as object) }
    expect(conflictOf(toChange(action, Array.isArray(payload) ? payload : stray), emptied)).toBe(conflict)
  })

  it.each(rows)('$action stores with the change: $snapshot', ({ action, payload, snapshot }) => {
    expect(snapshotOf(toChange(action, payload), present)).toEqual(snapshot)
  })

  it.each(rows)('$action stores nothing for a deleted target', ({ action, payload }) => {
    expect(snapshotOf(toChange(action, payload), nothing)).toBeUndefined()
  })

  it.each(rows)('$action can edit $part', ({ action, payload, part }) => {
    expect(targetPart(toChange(action, payload), present)).toEqual(part)
  })

  it.each(rows)('$action with another payload can edit: $other', ({ action, other: [payload, part] }) => {
    expect(targetPart(toChange(action, payload), present)).toEqual(part)
  })

  const known = rows.filter(({ part }) => part != null)
  if (known.length > 0) {
    it.each(known)('$action: the target then has the part that is set', ({ action, payload }) => {
      const change = toChange(action, payload)
      const { withPart, targetPart: partOf } = definitionOf(change)
      const part = targetPart(change, present) as KnownPart
      for (const state of [emptied, present]) {
        const subject = change.feature === null ? undefined : state.features.get(feature)
        expect(partOf(payload, withPart(payload, part, subject))).toEqual(part)
      }
    })
  }

  it.each(rows)('$action can edit nothing if the flag or segment is deleted', ({ action, payload }) => {
    expect(targetPart(toChange(action, payload), nothing)).toBeNull()
  })

  const unknown = ofFlags.filter(({ isAlwaysKnown }) => isAlwaysKnown !== true)
  if (unknown.length > 0) {
    it.each(unknown)('$action: the part that it can edit is unknown if the gateway returns nothing', (row) => {
      expect(targetPart(toChange(row.action, row.payload), flags())).toBeUndefined()
    })
  }
}

/** Tests that the inverse of each change restores the flags. */
export function testInverses(rows: readonly (readonly [NewChange['action'], JsonValue])[]): void {
  it.each(rows)('%s %j is undone by its inverse', (action, payload) => {
    const change = toChange(action, payload)
    const past = { snapshot: targetPart(change, present) ?? null }
    const inverses = definitionOf(change).inverse?.(payload, past) ?? []
    const state = alterable(present)
    alter(state, { ...change, id: 1 })
    expect(state).not.toEqual(present)
    for (const one of inverses) alter(state, { ...toChange(one.action, one.payload), id: 1 })
    expect(state).toEqual(present)
  })
}
