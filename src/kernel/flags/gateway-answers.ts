import { types } from 'node:util'
import type { FeatureState, FlagState } from '../../domain/flag-state'
import type { FlagEvent } from '../../ports/flags'
import { describeValue, wrongAnswer } from '../hooks'

/** What a flag may have beside its strategies. */
const lists = ['variants', 'possibleParents', 'dependencies', 'releasePlans', 'milestones', 'tags'] as const

/** Checks what `flags.current` returned. @throws UnknownError with what was received as its cause. */
export function checkFlagState(answer: unknown): FlagState {
  const { features, segments, defaultStrategy } = (answer ?? {}) as Partial<FlagState>
  expectAnswer(isObject(answer), 'current', 'an answer', answer, 'an object { features, segments }')
  expectAnswer(types.isMap(features), 'current', 'features', features, 'a Map from the names of flags')
  expectAnswer(types.isMap(segments), 'current', 'segments', segments, 'a Map from the ids of segments')
  for (const [name, feature] of features as FlagState['features']) checkFeature(name, feature)
  for (const [id, segment] of segments as FlagState['segments']) {
    const named = isObject(segment) && typeof segment.name === 'string'
    expectAnswer(named, 'current', `the segment ${quote(id)}`, segment, 'an object with a name')
  }
  const fits = defaultStrategy === undefined || isObject(defaultStrategy)
  expectAnswer(fits, 'current', 'defaultStrategy', defaultStrategy, 'an object, or left out')
  return answer as FlagState
}

function checkFeature(name: string, feature: FeatureState | undefined): void {
  const isFlag = typeof feature?.archived === 'boolean' && typeof feature.enabled === 'boolean'
  const expected = 'an object with the booleans archived and enabled'
  expectAnswer(isFlag, 'current', `the flag ${quote(name)}`, feature, expected)
  for (const list of ['strategies', 'milestoneStrategies'] as const) {
    const strategies = feature?.[list]
    const fits = strategies === undefined || (Array.isArray(strategies) && strategies.every(isStrategy))
    const what = `the ${list} of ${quote(name)}`
    expectAnswer(fits, 'current', what, strategies, 'a list of objects with an id, or none')
  }
  for (const list of lists) {
    const fits = feature?.[list] === undefined || Array.isArray(feature?.[list])
    expectAnswer(fits, 'current', `${list} of ${quote(name)}`, feature?.[list], 'a list, or left out')
  }
}

/** Checks what `flags.apply` or `flags.outcome` returned. @throws UnknownError with what was received as its cause. */
export function checkFlagEvents(method: 'apply' | 'outcome', answer: unknown): readonly FlagEvent[] {
  expectAnswer(Array.isArray(answer), method, 'an answer', answer, 'a list of flag events, [] for none')
  for (const [index, event] of (answer as readonly FlagEvent[]).entries()) {
    expectAnswer(isObject(event), method, `event ${index}`, event, 'an object with a type')
    const { changeId } = event
    const named = changeId == null || Number.isSafeInteger(changeId)
    const expected = 'the id of a change, or null for a default change'
    expectAnswer(named, method, `the changeId of event ${index}`, changeId, expected)
  }
  return answer as readonly FlagEvent[]
}

function expectAnswer(fits: boolean, method: string, what: string, received: unknown, expected: string): void {
  if (!fits) throw wrongAnswer(`flags.${method}`, `${describeValue(received)} as ${what}`, expected)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isStrategy(value: unknown): boolean {
  return isObject(value) && typeof value.id === 'string'
}

function quote(name: unknown): string {
  return JSON.stringify(String(name)).slice(0, 100)
}
