import { isObject, type Json, type JsonObject, listOf, objectOf, textIn } from '../../../words/json'
import { isEqual } from './merge'
import { blankOf, labelOf, merged, type Schema } from './schema'

/** An action that the gateway takes, with the schema of its change. */
export interface Offered {
  readonly action: string
  readonly scope: string
  readonly schema: Schema
}

export const payloadSchema = ({ schema }: Offered): Schema | undefined =>
  schema.properties?.payload && merged(schema.properties.payload)

export const needsFlag = ({ schema }: Offered): boolean => schema.required?.includes('feature') === true

/** What the action does: the first sentence of its schema, such as `Adds a strategy to a flag`, else its name. */
export function actionWords({ schema, scope, action }: Offered): string {
  const [sentence = action] = (schema.description ?? labelOf(action)).split('.')
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

/**
 * The current values of what the change alters, as its payload: only what has a current value is in it. Something new
 * begins with empty lists; for a list that is replaced, they would remove everything.
 */
export function currentPayload(offered: Offered, state: Json, id: string): Json {
  const { action } = offered
  const schema = payloadSchema(offered)
  if (schema === undefined) return undefined
  if (action === 'reorderStrategy') {
    return strategiesOf(action, state).map(({ id, sortOrder }, index) => {
      return { id, sortOrder: typeof sortOrder === 'number' ? sortOrder : index }
    })
  }
  const properties = Object.keys(schema.properties ?? {})
  const current = objectOf(partOf(offered, state, id))
  const known = properties.filter((name) => current[name] !== undefined)
  return {
    ...(!replacing.has(action) && objectOf(blankOf(schema))),
    ...Object.fromEntries(known.map((name) => [name, current[name]])),
    ...(properties.includes('id') && id !== '' && { id }),
  }
}

const replacing: ReadonlySet<string> = new Set(['patchVariant', 'updateSegment'])

/** What the target has of the properties of the payload. */
function partOf(offered: Offered, state: Json, id: string): Json {
  const { action } = offered
  if (isUpdate(action)) return strategiesOf(action, state).find((one) => one.id === id)
  if (action === 'updateSegment') return state
  const { enabled, variants } = objectOf(state)
  if (action === 'updateEnabled') return { enabled }
  return action === 'patchVariant' ? { variants } : undefined
}

/** The strategy that the change can only be about. */
export function onlyId(action: string, state: Json): string {
  const [first = '', ...others] = choicesOf(action, 'id', state)
  return others.length === 0 ? first : ''
}

export const isUpdate = (action: string): boolean => action === 'updateStrategy' || action === 'updateMilestoneStrategy'

/** Without what stays as it is: a change of a strategy is about what it alters alone. */
export function changedOnly({ action }: Offered, current: Json, payload: Json): Json {
  if (!isUpdate(action) || !isObject(payload)) return payload
  const before = objectOf(current)
  const changed = Object.entries(payload).filter(
    ([name, value]) => name === 'id' || !isEqual({ [name]: value }, { [name]: before[name] }),
  )
  return Object.fromEntries(changed)
}

/** The name under which the flag or segment has the digest of what the change can alter. */
export function targetOf(action: string, payload: Json): string | undefined {
  const { id, enabled, shouldActivateDisabledStrategies: activates } = objectOf(payload)
  if (action === 'updateEnabled' && enabled === true && activates === true) return 'activation'
  if (Object.hasOwn(targetNames, action)) return targetNames[action]
  // The digest under such a name is never that of a strategy.
  return typeof id === 'string' && !Object.values(targetNames).includes(id) ? id : undefined
}

const targetNames: Readonly<Record<string, string>> = {
  updateEnabled: 'enabled',
  patchVariant: 'variants',
  reorderStrategy: 'order',
  addDependency: 'dependencies',
  deleteDependency: 'dependencies',
  updateSegment: 'segment',
  deleteSegment: 'segment',
}
