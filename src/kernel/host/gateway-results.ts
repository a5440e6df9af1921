import { types } from 'node:util'
import type { FeatureState, FlagState } from '../../domain/flag-state'
import type { FlagEvent } from '../../ports/flags'
import { describeValue, invalidHookResult } from './hooks'

const lists = ['variants', 'possibleParents', 'dependencies', 'releasePlans', 'milestones', 'tags'] as const

/** Checks what `flags.current` returned. @throws UnknownError with what was received as its cause. */
export function checkFlagState(answer: unknown): FlagState {
  const { features, segments, defaultStrategy, missing, segmentUse } = (answer ?? {}) as Partial<FlagState>
  expectResult(isObject(answer), 'current', 'the result', answer, 'an object { features, segments }')
  expectResult(types.isMap(features), 'current', 'features', features, 'a Map from the names of flags')
  expectResult(types.isMap(segments), 'current', 'segments', segments, 'a Map from the ids of segments')
  for (const [name, feature] of features as FlagState['features']) checkFeature(name, feature)
  for (const [id, segment] of segments as FlagState['segments']) {
    const named = isObject(segment) && typeof segment.name === 'string'
    expectResult(named, 'current', 'the segment', segment, 'an object with a name', id)
  }
  const fits = defaultStrategy === undefined || isObject(defaultStrategy)
  expectResult(fits, 'current', 'defaultStrategy', defaultStrategy, 'an object, or left out')
  const isUse = segmentUse === undefined || types.isMap(segmentUse)
  expectResult(isUse, 'current', 'segmentUse', segmentUse, 'a Map from the ids of segments, or left out')
  for (const [id, users] of segmentUse ?? new Map<number, unknown>()) {
    const fits = Array.isArray(users) && users.every(isUser)
    expectResult(fits, 'current', 'segmentUse of', users, 'a list of { project, feature }', id)
  }
  expectResult(missing === undefined || isObject(missing), 'current', 'missing', missing, 'an object, or left out')
  const { segments: ids = [], templates = [] } = (missing ?? {}) as NonNullable<FlagState['missing']>
  const areIds = Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id))
  expectResult(areIds, 'current', 'missing.segments', ids, 'a list of ids, or left out')
  const areNames = Array.isArray(templates) && templates.every((id) => typeof id === 'string')
  expectResult(areNames, 'current', 'missing.templates', templates, 'a list of ids, or left out')
  return answer as FlagState
}

function checkFeature(name: string, feature: FeatureState | undefined): void {
  const isFlag = typeof feature?.archived === 'boolean' && typeof feature.enabled === 'boolean'
  const expected = 'an object with the booleans archived and enabled'
  expectResult(isFlag, 'current', 'the flag', feature, expected, name)
  for (const list of ['strategies', 'milestoneStrategies'] as const) {
    const strategies = feature?.[list]
    const fits = strategies === undefined || (Array.isArray(strategies) && strategies.every(isStrategy))
    expectResult(fits, 'current', `the ${list} of`, strategies, 'a list of objects with an id, or none', name)
  }
  for (const list of lists) {
    const fits = feature?.[list] === undefined || Array.isArray(feature?.[list])
    expectResult(fits, 'current', `${list} of`, feature?.[list], 'a list, or left out', name)
  }
}

/** Checks what `flags.apply` or `flags.outcome` returned. @throws UnknownError with what was received as its cause. */
export function checkFlagEvents(method: 'apply' | 'outcome', answer: unknown): readonly FlagEvent[] {
  expectResult(Array.isArray(answer), method, 'the result', answer, 'a list of flag events, [] for none')
  for (const [index, event] of (answer as readonly FlagEvent[]).entries()) {
    expectResult(isObject(event), method, `event ${index}`, event, 'an object with a type')
    const { changeId } = event
    const named = changeId == null || Number.isSafeInteger(changeId)
    const expected = 'the id of a change, or null for an implied change'
    expectResult(named, method, `the changeId of event ${index}`, changeId, expected)
  }
  return answer as readonly FlagEvent[]
}

/** @param name follows `what` in quotes. Many flags are checked, so it is only quoted if something is wrong. */
function expectResult(fits: boolean, method: string, what: string, got: unknown, expected: string, name?: unknown) {
  if (fits) return
  const place = name === undefined ? what : `${what} ${JSON.stringify(String(name)).slice(0, 100)}`
  throw invalidHookResult(`flags.${method}`, `${describeValue(got)} as ${place}`, expected)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isUser(value: unknown): boolean {
  return isObject(value) && typeof value.project === 'string' && typeof value.feature === 'string'
}

function isStrategy(value: unknown): boolean {
  return isObject(value) && typeof value.id === 'string'
}
