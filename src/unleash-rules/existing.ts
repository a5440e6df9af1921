import type { ErrorDetail } from '../errors'

/** The part of a target before a change, as the flag gateway returned it: nothing is known about its types. */
export interface CurrentPart {
  readonly [property: string]: unknown
}

/** What the target already has in constraints of one field and operator. It is not checked again. */
export interface Existing {
  /** The texts in `value`; an empty one stands for a constraint without it. */
  readonly single: ReadonlySet<unknown>
  readonly values: ReadonlySet<unknown>
  /** The highest number of values. */
  readonly count: number
  readonly isEmpty: boolean
  readonly isInverted: boolean
}

interface Kind {
  readonly contextName?: unknown
  readonly operator?: unknown
}

/** Looks up what the current constraints of the field and operator of a constraint have; undefined for none. */
export function existingIn(current: unknown): (constraint: Kind) => Existing | undefined {
  const byKind = new Map<string, CurrentPart[]>()
  for (const constraint of objectsIn(current)) {
    const kind = kindOf(constraint)
    const alike = byKind.get(kind)
    if (alike) alike.push(constraint)
    else byKind.set(kind, [constraint])
  }
  const existing = new Map([...byKind].map(([kind, constraints]) => [kind, toExisting(constraints)] as const))
  return (constraint) => existing.get(kindOf(constraint))
}

function toExisting(constraints: readonly CurrentPart[]): Existing {
  const lists = constraints.map(({ values }) => (Array.isArray(values) ? values : []))
  return {
    single: new Set(constraints.map(({ value }) => value ?? '')),
    values: new Set(lists.flat()),
    count: Math.max(...lists.map(({ length }) => length)),
    isEmpty: lists.some(({ length }) => length === 0),
    isInverted: constraints.some(({ inverted }) => inverted === true),
  }
}

function kindOf(constraint: Kind): string {
  return JSON.stringify([constraint.contextName, constraint.operator])
}

export function objectsIn(list: unknown): readonly CurrentPart[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []
}

export function expectThat(holds: boolean, path: string, message: string): readonly ErrorDetail[] {
  return holds ? [] : [{ message, path }]
}

/** Quotes a text of the caller, shortened: an error never contains a whole body. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 200)]
  const short = characters.length > 90 ? `${characters.slice(0, 90).join('')}…` : text
  return JSON.stringify(short)
}
