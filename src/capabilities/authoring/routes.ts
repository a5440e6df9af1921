import { scopeOf } from '../../domain/actions/table'
import type {
  ContextFieldsView,
  FlagNamesView,
  FlagView,
  OfferedActionsView,
  PlacesView,
  SegmentNamesView,
  SegmentView,
} from '../../generated'
import type { Action } from '../../generated/index'
import { jsonReply } from '../../http/reply'
import { type Route, readErrors, route } from '../../http/route'
import type { Services } from '../../kernel/services'
import { type FeatureNames, featureNameRules } from '../../validation/core/names'
import { badData } from '../../validation/core/problems'
import { partAt, type Resolve, withoutReferences } from '../../validation/core/references'
import { allSchemas, changeSchemas } from '../../validation/core/registry'
import { describeParameters, readParameters, singleParameter } from '../../validation/queries/query-parameter'
import type { QueryReader } from '../../validation/queries/query-reader'
import { parseChanges } from '../proposals/changes-body'
import { findContextFields, findPlaces, searchFlags, searchSegments } from './directory'
import { findFlag, findSegment } from './flags'
import { preview, viewPreview, withPaths } from './preview'

type Listed = Pick<Services, 'actions' | 'actionSchemas'>

/**
 * Each with the JSON Schema of its change, without references: that of the host app, which is narrower, where it has one. It
 * has our description unless the host app describes it.
 */
export function listActions({ actions, actionSchemas }: Listed, featureNames: FeatureNames) {
  const shared = [...allSchemas, featureNameRules[featureNames].published] as readonly Identified[]
  const resolve = resolveAmong(new Map(shared.map((schema) => [schema.$id, schema])))
  return [...changeSchemas]
    .filter(([action]) => actions?.includes(action as Action) ?? true)
    .map(([name, schema]) => {
      const action = name as Action
      const own = actionSchemas.get(action)?.schema
      const offered = own
        ? { description: (schema as { description?: string }).description, ...own }
        : (withoutReferences(schema, resolve) as object)
      return { action, scope: scopeOf({ action }), schema: offered }
    })
}

interface Identified {
  readonly $id: string
}

function resolveAmong(byId: ReadonlyMap<string, Identified>): Resolve {
  return (reference, base) => {
    const { origin, pathname, hash } = new URL(String(reference), base)
    const schema = byId.get(`${origin}${pathname}`)
    if (schema === undefined) throw new Error(`There is no schema ${reference}.`)
    return { part: partAt(hash, schema), base: schema.$id }
  }
}

const queryOf = (names: string) => ({
  query: singleParameter({
    description: `Text to search for in the names of ${names}.`,
    schema: { type: 'string', minLength: 1, maxLength: 100 },
    expected: 'must have 1 to 100 characters',
    parse: (text) => (text.length > 0 && text.length <= 100 ? text : undefined),
  }),
})
const inProjects = queryOf('projects')

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
    query: describeParameters(queryOf('flags')),
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
      'Returns the current state of the flag in the environment, the digests by which a change states what its author saw, and ' +
      'its state in the other environments.',
    answer: { status: 200, schema: 'flag', description: 'The flag.' },
    parse: ({ project, environment, name, caller }) => ({ project, environment, name: name('featureName'), ...caller }),
    run: (place, services) => findFlag(services, place),
    view: ({ name, state, segmentNames, targets, environments }) =>
      jsonReply({
        ...{ name, state: state as FlagView['state'] },
        segmentNames: Object.fromEntries(segmentNames),
        targets,
        environments: environments as FlagView['environments'],
      } satisfies FlagView),
  }),
  route({
    ...inEnvironment,
    path: '/projects/:projectId/environments/:environment/segments',
    operationId: 'searchSegments',
    summary: 'Search segments',
    description: 'Returns at most 20 segments, or null if the host app cannot search.',
    query: describeParameters(queryOf('segments')),
    answer: { status: 200, schema: 'segment-names', description: 'The segments.' },
    parse: ({ project, query }) => ({ project, query: requireQuery(query) }),
    run: (search, services) => searchSegments(services, search),
    view: (segments) => jsonReply({ segments } satisfies SegmentNamesView),
  }),
  route({
    ...inEnvironment,
    path: '/projects/:projectId/context-fields',
    operationId: 'getContextFields',
    summary: 'List the context fields',
    description:
      'Returns the fields that constraints can name, or null if the host app does not return them. The permission is needed in ' +
      'the project.',
    answer: { status: 200, schema: 'context-fields', description: 'The context fields.' },
    parse: ({ project }) => ({ project }),
    run: ({ project }, services) => findContextFields(services, project),
    view: (fields) => jsonReply({ fields } satisfies ContextFieldsView),
  }),
  route({
    ...inEnvironment,
    path: '/places',
    operationId: 'getPlaces',
    summary: 'List the places',
    description:
      'Returns the projects and environments in which the caller can propose changes: at most 50 projects with at most 20 ' +
      'environments each.',
    permissions: [],
    query: describeParameters(inProjects),
    answer: { status: 200, schema: 'places', description: 'The projects and environments.' },
    errors: [400, 401, 500, 503],
    parse: ({ caller, query }) => ({ ...caller, ...readParameters(inProjects, query) }),
    run: (input, services) => findPlaces(services, input),
    view: (places) => jsonReply(places satisfies PlacesView),
  }),
  route({
    method: 'post',
    path: '/projects/:projectId/environments/:environment/change-requests/preview',
    operationId: 'previewChanges',
    extension: true,
    summary: 'Preview changes',
    description:
      'Returns what a new change request with these changes would do, and which approvals it would need. Nothing is stored. ' +
      'Changes that could not be proposed are rejected in the same way.',
    permissions: ['CREATE_CHANGE_REQUEST'],
    body: 'preview-submission',
    answer: { status: 200, schema: 'preview', description: 'The effect of the changes.' },
    errors: [...readErrors, 412, 413, 415],
    parse: ({ caller, project, environment, body }) => ({ ...caller, project, environment, body }),
    run: ({ body, ...input }, services) =>
      withPaths(() => preview(services, { ...input, changes: changesIn(body, services) })),
    view: viewPreview,
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
    run: async (_, services) => listActions(services, services.options.featureNames),
    view: (actions) => jsonReply({ actions: actions.map((one) => ({ ...one })) } as OfferedActionsView),
  }),
]

/** @throws BadDataError for a body without a list of valid changes */
function changesIn(body: unknown, { actions, actionSchemas, options: { limits, featureNames } }: Services) {
  const { changes } = (body ?? {}) as { readonly changes?: unknown }
  if (!Array.isArray(changes)) throw badData([{ path: '/body', message: 'must be a list of changes' }])
  return parseChanges(changes, {
    ...{ changesPerRequest: limits.changesPerRequest, actions, actionSchemas, featureNames },
  })
}

/** @throws BadDataError without the parameter, and for a text that is too long */
function requireQuery(query: QueryReader): string {
  const { query: text } = readParameters(inProjects, query)
  if (text === undefined) throw badData([{ path: '/query/query', message: 'is required and missing' }])
  return text
}
