import { isBlank, isObject, isSame, type Json, type JsonObject, listOf, objectOf, textIn } from '../../../words/json'
import { exampleOf, merged, type Schema } from './schema'

/** An action that the gateway takes, with the schema of its change. */
export interface Offered {
  readonly action: string
  readonly scope: string
  readonly schema: Schema
}

export const payloadSchema = ({ schema }: Offered): Schema | undefined =>
  schema.properties?.payload && merged(schema.properties.payload)

export const needsFlag = ({ schema }: Offered): boolean => schema.required?.includes('feature') === true

/** What the action does, as its schema says it: `Adds a strategy to a flag`. */
export function actionWords({ schema, scope, action }: Offered): string {
  const [sentence = action] = (schema.description ?? action).split('.')
  return scope === 'project' && needsFlag({ schema, scope, action }) ? `${sentence} (all environments)` : sentence
}

/** Values that the flag has for a property of the payload, such as the ids of its strategies. */
export function choicesOf(action: string, name: string, state: Json): readonly string[] {
  const flag = objectOf(state)
  if (name === 'id') return strategiesOf(action, state).map((one) => textIn(one, 'id'))
  return listOf(flag[sources[name] ?? '']).map(String)
}

const sources: Readonly<Record<string, string>> = {
  planId: 'releasePlans',
  milestoneId: 'milestones',
  sourceMilestone: 'milestones',
  targetMilestone: 'milestones',
  feature: 'possibleParents',
}

export function strategiesOf(action: string, state: Json): readonly JsonObject[] {
  const { strategies, milestoneStrategies } = objectOf(state)
  if (action.includes('Milestone')) return listOf(milestoneStrategies).map(objectOf)
  return action.endsWith('Strategy') ? listOf(strategies).map(objectOf) : []
}

/** What the form begins with: the current values of the flag, and the example of the schema for all else. */
export function defaultPayload(offered: Offered, feature: string, state: Json): Json {
  const { action, schema } = offered
  const example = exampleOf(schema)
  const payload = replaced(example.payload, example.feature, feature)
  if (action === 'reorderStrategy') return strategiesOf(action, state).map(({ id }, sortOrder) => ({ id, sortOrder }))
  if (!isObject(payload)) return payload
  const { enabled, variants } = objectOf(state)
  if (action === 'updateEnabled') return { enabled: enabled !== true }
  if (action === 'patchVariant' && !isBlank(variants)) return { variants }
  // Ids of an example do not exist.
  const known = Object.keys(payload).filter((name) => name === 'id' || Object.hasOwn(sources, name))
  const ids = known.map((name) => [name, choicesOf(action, name, state).find((one) => one !== feature) ?? ''])
  const filled = { ...payload, ...Object.fromEntries(ids) }
  return isUpdate(action) ? { ...filled, ...currentStrategy(offered, state, filled.id) } : filled
}

const isUpdate = (action: string) => action === 'updateStrategy' || action === 'updateMilestoneStrategy'

/** The strategy as it is, in the properties that a change of it can have. */
export function currentStrategy(offered: Offered, state: Json, id: Json): JsonObject {
  if (!isUpdate(offered.action)) return {}
  const names = Object.keys(payloadSchema(offered)?.properties ?? {})
  const found = strategiesOf(offered.action, state).find((one) => one.id === id) ?? {}
  return Object.fromEntries(names.filter((name) => Object.hasOwn(found, name)).map((name) => [name, found[name]]))
}

/** Without what stays as it is: a change of a strategy is about what it alters alone. */
export function changedOnly(offered: Offered, state: Json, payload: Json): Json {
  if (!isUpdate(offered.action) || !isObject(payload)) return payload
  const current = currentStrategy(offered, state, payload.id)
  const changed = Object.entries(payload).filter(([name, value]) => name === 'id' || !isSame(value, current[name]))
  return Object.fromEntries(changed)
}

/** The payload on a flag that changed: what was not typed has its new values. */
export function rebased(offered: Offered, payload: Json, before: Json, now: Json): Json {
  if (!isUpdate(offered.action) || !isObject(payload)) return payload
  const [old, current] = [before, now].map((state) => currentStrategy(offered, state, payload.id))
  const values = Object.entries(payload).map(([name, value]) => {
    return [name, name !== 'id' && isSame(value, old?.[name]) ? current?.[name] : value]
  })
  return Object.fromEntries(values)
}

/** The example for this flag. */
function replaced(value: Json, from: Json, to: string): Json {
  if (value === undefined || typeof from !== 'string' || to === '') return value
  return JSON.parse(JSON.stringify(value).replaceAll(JSON.stringify(from), () => JSON.stringify(to)))
}
