import type { Request } from 'express'
import { containsTag } from '../kernel/etag'
import type { Caller, Reference } from '../kernel/step/step-input'
import type { Scope } from '../ports/access'
import { type FeatureNames, featureNameRules, isName, placeNames } from '../validation/core/names'
import { malformedRequest, problemOfName } from '../validation/core/problems'
import { createQueryReader, parseId } from '../validation/queries/query-reader'

/** Input of `Route.parse`: a request whose caller, permission and body have passed their checks. */
export type RequestContext = ReturnType<typeof createContext>

export function createContext(
  req: Request,
  { caller, scope, body }: { readonly caller: Caller; readonly scope: Scope; readonly body: unknown },
  featureNames: FeatureNames,
) {
  const params = req.params as Record<string, string | undefined>
  const search = queryOf(req)
  const { project = '', environment = '' } = scope
  const id = (parameter: string) => parseId(params[parameter] ?? '')
  return {
    ...{ caller, scope, project, environment, body, search },
    query: createQueryReader(search),
    lastEventId: req.get('last-event-id'),
    /** Undefined when it is malformed. */
    id,
    /** @throws BadDataError when it is malformed. */
    name: (parameter: string) => requireName(parameter, params[parameter] ?? '', featureNames),
    /** The change request in the path, with the caller. */
    reference: (parameter = 'id'): Caller & Reference => ({ ...caller, project, id: id(parameter) }),
    /** The media type that the client prefers: the first without `Accept`, undefined if it accepts none. */
    accepts: <Type extends string>(types: readonly Type[]) =>
      (req.accepts([...types]) || undefined) as Type | undefined,
    mustCreate: req.get('if-none-match')?.trim() === '*',
    isConditional: req.get('if-none-match') !== undefined,
    isFresh: (tag: string) => containsTag(req.get('if-none-match'), tag),
  }
}

/** Project and environment in the path. All names of the path are checked before permissions (contract 11.4). */
export function pathScope({ params }: Request, featureNames: FeatureNames): Scope {
  const { projectId, environment, featureName } = params as Record<string, string | undefined>
  if (featureName !== undefined) requireName('featureName', featureName, featureNames)
  return {
    ...(projectId === undefined ? {} : { project: requireName('projectId', projectId, featureNames) }),
    ...(environment === undefined ? {} : { environment: requireName('environment', environment, featureNames) }),
  }
}

/** The query, read from the URL: the parsers of Express 4 and 5 disagree about `?a=1&a=2` and `?a[b]=c`. */
export function queryOf({ url }: Request): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
}

function requireName(parameter: string, value: string, featureNames: FeatureNames): string {
  const rule = parameter === 'featureName' ? featureNameRules[featureNames] : placeNames
  if (isName(rule, value)) return value
  throw malformedRequest(`The path parameter ${parameter} ${problemOfName(rule, value)}.`, {
    path: `/params/${parameter}`,
  })
}
