import type { Request } from 'express'
import type { Command } from '../../operations/runtime/aggregate-writer'
import type { Actor, Scope } from '../../ports/access'
import { malformedRequest } from '../../validation/core/problems'
import { parseId } from '../../validation/queries/id'
import { isName } from '../../validation/queries/names'
import { createQueryReader, type QueryReader } from '../../validation/queries/query-reader'

/** A request after everything that is checked before its operation runs. */
export interface Call {
  readonly actor: Actor
  readonly scope: Scope
  readonly ip: string | undefined
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  /** Where a follower of the log wants to go on. */
  readonly lastEventId: string | undefined
  /** The parsed and guarded body; undefined for a route without one. */
  readonly body: unknown
  /** The id that a path parameter stands for; undefined when it can name nothing. */
  id(parameter: string): number | undefined
  /** A name in the path. @throws BadDataError when it is malformed. */
  name(parameter: string): string
  readonly query: QueryReader
  /** The query as it stands in the address. */
  queryString(): URLSearchParams
  /** Which of the media types the client prefers; the first of them where it does not say. */
  accepts<Type extends string>(types: readonly Type[]): Type | undefined
  /** What to store for a retry; undefined unless the call carries an `Idempotency-Key`. */
  readonly idempotency: Command['idempotency'] | undefined
}

/** Everything of a call but its body, which is read later. */
export function createCall(req: Request, actor: Actor, scope: Scope): Omit<Call, 'body' | 'idempotency'> {
  const params = req.params as Record<string, string | undefined>
  return {
    actor,
    scope,
    ip: req.ip,
    ifMatch: req.get('if-match'),
    ifNoneMatch: req.get('if-none-match'),
    lastEventId: req.get('last-event-id'),
    id: (parameter) => parseId(params[parameter] ?? ''),
    name: (parameter) => wellFormed(parameter, params[parameter] ?? ''),
    query: createQueryReader(queryOf(req)),
    queryString: () => queryOf(req),
    accepts: <Type extends string>(types: readonly Type[]) =>
      (req.accepts([...types]) || undefined) as Type | undefined,
  }
}

/** Project and environment as the path names them. */
export function pathScope({ params }: Request): Scope {
  const { projectId, environment, featureName } = params as Record<string, string | undefined>
  // Every name of the path comes before the question of permission (contract 11.4).
  if (featureName !== undefined) wellFormed('featureName', featureName)
  return {
    ...(projectId === undefined ? {} : { project: wellFormed('projectId', projectId) }),
    ...(environment === undefined ? {} : { environment: wellFormed('environment', environment) }),
  }
}

function wellFormed(parameter: string, value: string): string {
  if (isName(value)) return value
  throw malformedRequest(`The path parameter ${parameter} is not a well-formed name.`, { path: `/params/${parameter}` })
}

/** The query, read from the URL: the parsers of Express 4 and 5 disagree about `?a=1&a=2` and `?a[b]=c`. */
export function queryOf({ url }: Request): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
}
