import type { JsonValue, NewChange } from '../../domain/change-request'
import { ChangeRequestError, type ErrorDetail } from '../../errors'
import type { SubmittedChange } from '../../generated/index'
import { badData, echo, firstProblem, notAmong, step } from '../core/problems'
import { validatorOfAction } from '../core/registry'
import { changeSchemas } from './change-schemas'

/** What a request may submit. */
export interface ChangeLimits {
  readonly changesPerRequest: number
  /** Left out: every action there is. */
  readonly actions?: readonly string[] | undefined
}

const allActions = [...changeSchemas.keys()]

/** Where a change stands in the request: `['body']`, or `['body', 3]` in a list. */
type Place = readonly (string | number)[]

/**
 * Reads the body of a request that submits one change or a list of them; of each change only what belongs to it is
 * kept. Expects a body that has passed `guardBody`.
 *
 * @throws BadDataError with one detail for each faulty change
 * @throws ExceedsLimitError when the list is too long
 */
export function parseChanges(body: unknown, limits: ChangeLimits): NewChange[] {
  const list = Array.isArray(body)
  const submitted = (list ? body : [body]).map(withoutSnapshot)
  if (submitted.length === 0) throw badData([{ path: '/body', message: 'must hold at least one change' }])
  if (submitted.length > limits.changesPerRequest) {
    const text = `A request takes at most ${limits.changesPerRequest} changes, this one has ${submitted.length}.`
    throw new ChangeRequestError('ExceedsLimitError', text)
  }
  const details: ErrorDetail[] = []
  const changes: NewChange[] = []
  for (const [index, change] of submitted.entries()) {
    const problem = problemOf(change, list ? ['body', index] : ['body'], limits)
    if (problem) details.push(problem)
    else changes.push(toNewChange(change as SubmittedChange))
  }
  if (details.length > 0) throw badData(details)
  return changes
}

/**
 * Reads the body of a request that submits exactly one change, in place of another. Expects a body that has passed
 * `guardBody`.
 *
 * @throws BadDataError with what is wrong first; also for a list, even of one
 */
export function parseChange(body: unknown, limits: Pick<ChangeLimits, 'actions'> = {}): NewChange {
  const change = withoutSnapshot(body)
  const problem = problemOf(change, ['body'], limits)
  if (problem) throw badData([problem])
  return toNewChange(change as SubmittedChange)
}

/**
 * The change without `payload.snapshot`, which is ours to answer: a client that sends a closed change back must neither
 * be refused for it nor have it stored (contract 4.1).
 */
function withoutSnapshot(change: unknown): unknown {
  if (!isObject(change) || !isObject(change.payload) || !Object.hasOwn(change.payload, 'snapshot')) return change
  const { snapshot: _, ...payload } = change.payload
  return { ...change, payload }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function problemOf(
  change: unknown,
  place: Place,
  { actions = allActions }: Pick<ChangeLimits, 'actions'>,
): ErrorDetail | undefined {
  if (!isObject(change)) {
    return { path: place.map(step).join(''), message: `must be object, got ${echo(change)}` }
  }
  const path = [...place, 'action']
  if (!Object.hasOwn(change, 'action')) {
    return { path: path.map(step).join(''), message: 'action is required and missing' }
  }
  const { action } = change
  const validate = validatorOfAction(action)
  const possible = validate !== undefined && actions.includes(action as string)
  return possible ? firstProblem(validate, change, place) : notAmong(actions, action, path)
}

function toNewChange(change: SubmittedChange): NewChange {
  const { action } = change
  switch (action) {
    case 'updateSegment':
    case 'deleteSegment':
      return { action, feature: null, payload: change.payload as JsonValue }
    case 'archiveFeature':
      return { action, feature: change.feature, payload: {} }
    default:
      return { action, feature: change.feature, payload: (change.payload ?? {}) as JsonValue }
  }
}
