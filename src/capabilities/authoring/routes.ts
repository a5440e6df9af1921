import { scopeOf } from '../../domain/actions/table'
import type { FlagNamesView, FlagView, OfferedActionsView, SegmentView } from '../../generated'
import type { Action } from '../../generated/index'
import { jsonReply } from '../../http/reply'
import { type Route, readErrors, route } from '../../http/route'
import type { Services } from '../../kernel/services'
import { type FeatureNames, featureNameRules } from '../../validation/core/names'
import { badData } from '../../validation/core/problems'
import { allSchemas, changeSchemas } from '../../validation/core/registry'
import { describeParameters, readParameters, singleParameter } from '../../validation/queries/query-parameter'
import type { QueryReader } from '../../validation/queries/query-reader'
import { findFlag, findSegment, searchFlags } from './flags'

/** Each with the JSON Schema of its change, without references. */
export function listActions(actions: Services['actions'], featureNames: FeatureNames) {
  const shared = [...allSchemas, featureNameRules[featureNames].published] as readonly Identified[]
  const byId = new Map(shared.map((schema) => [schema.$id, schema]))
  return [...changeSchemas]
    .filter(([action]) => actions?.includes(action as Action) ?? true)
    .map(([name, schema]) => {
      const action = name as Action
      return { action, scope: scopeOf({ action }), schema: withoutReferences(schema, byId) as object }
    })
}

interface Identified {
  readonly $id: string
}

type SchemasById = ReadonlyMap<string, Identified>

/** Inserts what a schema refers to. The schemas of changes do not refer to themselves. */
function withoutReferences(node: unknown, byId: SchemasById, base = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutReferences(item, byId, base))
  if (typeof node !== 'object' || node === null) return node
  const schema = node as Partial<Identified> & { $schema?: string; $ref?: string }
  const { $schema: _, $id = base, $ref, ...rest } = schema
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutReferences(value, byId, $id)]))
  return $ref === undefined ? own : { ...resolve($ref, byId, $id), ...own }
}

function resolve(reference: string, byId: SchemasById, base: string): object {
  const { origin, pathname, hash } = new URL(reference, base)
  const schema = byId.get(`${origin}${pathname}`)
  if (schema === undefined) throw new Error(`There is no schema ${reference}.`)
  const part = hash
    .split('/')
    .slice(1)
    .reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], schema)
  return withoutReferences(part, byId, schema.$id) as object
}

const parameters = {
  query: singleParameter({
    description: 'Text to search for in the names of flags.',
    schema: { type: 'string', minLength: 1, maxLength: 100 },
    expected: 'must have 1 to 100 characters',
    parse: (text) => (text.length > 0 && text.length <= 100 ? text : undefined),
  }),
}

const inEnvironment = {
  method: 'get',
  extension: true,
  permissions: ['CREATE_CHANGE_REQUEST'],
  errors: readErrors,
} as const

export const authoringRoutes: readonly Route[] = [
  route({
    ...inEnvironment,
    path: '/projects/:projectId/environments/:environment/flags',
    operationId: 'searchFlags',
    summary: 'Search flags',
    description: 'Returns the names of at most 20 flags, or null if the host app cannot search.',
    query: describeParameters(parameters),
    answer: { status: 200, schema: 'flag-names', description: 'The names of flags.' },
    parse: ({ project, environment, query }) => ({ project, environment, query: requireQuery(query) }),
    run: (search, services) => searchFlags(services, search),
    view: (flags) => jsonReply({ flags: flags && [...flags] } satisfies FlagNamesView),
  }),
  route({
    ...inEnvironment,
    path: '/projects/:projectId/environments/:environment/flags/:featureName',
    operationId: 'getFlag',
    summary: 'Read a flag',
    description:
      'Returns the current state of the flag in the environment, and the digests by which a change states what its author saw.',
    answer: { status: 200, schema: 'flag', description: 'The flag.' },
    parse: ({ project, environment, name }) => ({ project, environment, name: name('featureName') }),
    run: (place, services) => findFlag(services, place),
    view: ({ name, state, segmentNames, targets }) =>
      jsonReply({
        ...{ name, state: state as FlagView['state'] },
        segmentNames: Object.fromEntries(segmentNames),
        targets,
      } satisfies FlagView),
  }),
  route({
    ...inEnvironment,
    path: '/projects/:projectId/environments/:environment/segments/:segmentId',
    operationId: 'getSegment',
    summary: 'Read a segment',
    description:
      'Returns the current state of the segment, the digest of what a change can alter, and the flags that use it.',
    answer: { status: 200, schema: 'segment', description: 'The segment.' },
    parse: ({ project, environment, id, caller }) => ({ project, environment, id: id('segmentId'), ...caller }),
    run: (place, services) => findSegment(services, place),
    view: ({ id, state, targets, usedBy }) =>
      jsonReply({
        ...{ id, state: state as SegmentView['state'], targets },
        usedBy: usedBy && [...usedBy],
      } satisfies SegmentView),
  }),
  route({
    ...inEnvironment,
    path: '/projects/:projectId/environments/:environment/change-requests/actions',
    operationId: 'getActions',
    summary: 'List the actions',
    description: 'Returns the actions that can be proposed, each with the JSON Schema of its change.',
    answer: { status: 200, schema: 'offered-actions', description: 'The actions.' },
    parse: () => ({}),
    run: async (_, { actions, options: { featureNames } }) => listActions(actions, featureNames),
    view: (actions) => jsonReply({ actions: actions.map((one) => ({ ...one })) } as OfferedActionsView),
  }),
]

/** @throws BadDataError without the parameter, and for a text that is too long */
function requireQuery(query: QueryReader): string {
  const { query: text } = readParameters(parameters, query)
  if (text === undefined) throw badData([{ path: '/query/query', message: 'is required and missing' }])
  return text
}
