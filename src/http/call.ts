import type { Request } from 'express'
import { ChangeRequestError } from '../errors'
import type { Actor, Scope } from '../ports/access'
import { isName } from '../validation/names'

/** A request after everything that is checked before its operation runs. */
export interface Call {
  readonly actor: Actor
  readonly scope: Scope
  readonly ip: string | undefined
  /** The parsed and guarded body; undefined for a route without one. */
  readonly body: unknown
  header(name: string): string | undefined
}

/** Project and environment as the path names them. */
export function pathScope({ params }: Request): Scope {
  const { projectId, environment } = params as Record<string, string | undefined>
  return {
    ...(projectId === undefined ? {} : { project: wellFormed('projectId', projectId) }),
    ...(environment === undefined ? {} : { environment: wellFormed('environment', environment) }),
  }
}

function wellFormed(parameter: string, value: string): string {
  if (isName(value)) return value
  const message = `The path parameter ${parameter} is not a well-formed name.`
  throw new ChangeRequestError('BadDataError', message, { details: [{ message, path: `/params/${parameter}` }] })
}

/**
 * A query parameter that may stand once; empty counts as absent. Read from the address itself, because the parsers of
 * Express 4 and 5 make different things of `?a=1&a=2` and `?a[b]=c`.
 */
export function singleQueryValue({ url }: Request, parameter: string): string | undefined {
  const mark = url.indexOf('?')
  const values = mark < 0 ? [] : new URLSearchParams(url.slice(mark + 1)).getAll(parameter)
  if (values.length > 1) {
    const message = `The query parameter ${parameter} may be given once.`
    throw new ChangeRequestError('BadDataError', message, { details: [{ message, path: `/query/${parameter}` }] })
  }
  return values[0] === '' ? undefined : values[0]
}
