import type { Action } from '../../generated/index'
import type { JsonValue } from '../change-request'
import type { FeatureState, StrategyState } from '../flag-state'
import type { ConflictContext, Inverse, KnownPart, TargetPart } from './action'

export interface Properties {
  readonly [property: string]: unknown
}

export interface WithId {
  readonly id: string
}

export const none = () => undefined

export const inEnvironment = { scope: 'environment', stage: 'change' } as const
export const inProject = { scope: 'project', stage: 'change' } as const

/** For an action that changes nothing that the gateway returns. */
export function same<Subject>(_payload: unknown, subject: Subject): Subject {
  return subject
}

/**
 * A copy that equals the JSON round trip; for small values it is much faster than `structuredClone`. With it, stored values
 * and results of a gateway can be compared, for example dates, and properties that are missing or undefined.
 */
export function copyOf<Value>(value: Value): Value {
  return asJson(value) as Value
}

function asJson(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => asJson(element) ?? null)
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return asJson((value as Date).toJSON())
  const copy: [string, unknown][] = []
  for (const [name, own] of Object.entries(value)) if (own !== undefined) copy.push([name, asJson(own)])
  return Object.fromEntries(copy)
}

/** False if the gateway does not return the list. */
export function isMissing(name: string, existing: readonly string[] | undefined): boolean {
  return existing?.includes(name) === false
}

export function missingPlan({ planId }: { readonly planId: string }, { releasePlans }: FeatureState) {
  return isMissing(planId, releasePlans) ? 'Release plan has been deleted' : undefined
}

export function missingStrategy(named: readonly WithId[], strategies: readonly WithId[] | undefined) {
  const existing = strategies?.map(({ id }) => id)
  return named.some(({ id }) => isMissing(id, existing)) ? 'Strategy has been deleted' : undefined
}

/**
 * A segment that a strategy names. It is not checked if the gateway does not report what is missing. The schema also accepts
 * numbers that no segment can have, which the gateway is not asked about.
 */
export function missingMention(strategy: Properties, { missing }: Pick<ConflictContext, 'missing'>) {
  const { segments: gone } = missing ?? {}
  const isGone = (id: JsonValue) => !Number.isSafeInteger(id) || gone?.includes(id as number)
  return gone && listOf(strategy.segments).some(isGone) ? 'Segment has been deleted' : undefined
}

export function strategyPart(strategies: readonly StrategyState[] | undefined, { id }: WithId): TargetPart {
  return strategies && copyOf(strategies.find((one) => one.id === id) ?? null)
}

/** The strategies with this one; without it, there is at least a list. */
export function withStrategyPart(strategies: readonly StrategyState[] = [], part: KnownPart): readonly StrategyState[] {
  if (part === null) return strategies
  const strategy = part as StrategyState
  const isKnown = strategies.some(({ id }) => id === strategy.id)
  return isKnown ? strategies.map((one) => (one.id === strategy.id ? strategy : one)) : [...strategies, strategy]
}

export function withProperties(_payload: unknown, part: KnownPart, feature: FeatureState): FeatureState {
  return { ...feature, ...part }
}

/** Null is a value only for the title; elsewhere it counts as not sent. */
export function withStrategy(strategies: readonly StrategyState[], payload: WithId & Properties): StrategyState[] {
  const { disabled, ...others } = payload
  const set = { ...others, ...(typeof disabled === 'boolean' ? { disabled } : {}) }
  return strategies.map((one) => (one.id === payload.id ? { ...one, ...set } : one))
}

export function mergedProperties(payload: Properties, part: NonNullable<TargetPart>): JsonValue {
  const isCopied = (name: string) => name === 'id' || isNotSent(name, payload[name])
  const left = Object.keys(payload).filter((name) => isCopied(name) || Object.hasOwn(part, name))
  return Object.fromEntries(left.map((name) => [name, isCopied(name) ? payload[name] : part[name]])) as JsonValue
}

/** For an action that adds something: that is the target, which does not exist before. */
export const ofAddition = {
  ...inEnvironment,
  targetPart: () => null,
  withPart: (_payload: unknown, _part: unknown, feature: FeatureState) => feature,
} as const

/** Restores the properties that the payload set. One that the gateway did not return cannot be restored. */
export function restored(action: Action, payload: Properties, snapshot: JsonValue | undefined): Inverse[] | undefined {
  const before = propertiesOf(snapshot)
  const set = Object.keys(payload).filter((name) => name !== 'id' && !isNotSent(name, payload[name]))
  if (before === undefined || !set.every((name) => Object.hasOwn(before, name))) return undefined
  return [change(action, { id: payload.id, ...Object.fromEntries(set.map((name) => [name, before[name]])) })]
}

/** A null for `disabled` counts as not sent. */
function isNotSent(name: string, value: unknown): boolean {
  return value === undefined || (name === 'disabled' && value === null)
}

export function change(action: Action, payload: Properties): Inverse {
  return { action, payload: payload as JsonValue }
}

export function propertiesOf(snapshot: JsonValue | undefined): Properties | undefined {
  return typeof snapshot === 'object' && snapshot !== null ? (snapshot as unknown as Properties) : undefined
}

export function listOf(value: unknown): JsonValue[] {
  return Array.isArray(value) ? value : []
}

const provisional = 'added by change '

/** The id of a strategy that a change adds, until the store assigns one. */
export function provisionalId(changeId: number | null): string {
  return `${provisional}${changeId}`
}

export function isProvisional(id: string): boolean {
  return id.startsWith(provisional)
}
