import { definitionOf } from '../../domain/actions/table'
import type { JsonValue, NewChange, ProposedChange } from '../../domain/change-request'
import { ChangeRequestError, type ErrorDetail } from '../../errors'
import type { Action, SubmittedChange } from '../../generated/index'
import { actions as allActions } from '../../generated/lists'
import type { HostServices } from '../../kernel/host-services'
import type { FeatureNames } from '../../validation/core/names'
import { badData, echo, firstProblem, notAmong, step } from '../../validation/core/problems'
import { validatorOfAction } from '../../validation/core/registry'

export interface AcceptedChanges {
  /** Left out: all actions. */
  readonly actions?: readonly string[] | undefined
  /** Schemas of the host app that changes must match in addition. */
  readonly actionSchemas?: HostServices['actionSchemas']
  /** Left out: URL-friendly names of flags. */
  readonly featureNames?: FeatureNames
}

export interface ChangeLimits extends AcceptedChanges {
  readonly changesPerRequest: number
}

/** Path of a change in the request: `['body']`, or `['body', 3]` in a list. */
type Place = readonly (string | number)[]

/**
 * Reads the body that submits one change or a list of changes, after `guardBody`. Unknown properties of a change are
 * dropped.
 *
 * @throws BadDataError with one detail for each faulty change
 * @throws ExceedsLimitError when the list is too long
 */
export function parseChanges(body: unknown, limits: ChangeLimits): ProposedChange[] {
  const list = Array.isArray(body)
  const submitted = (list ? body : [body]).map(withoutSnapshot)
  if (submitted.length === 0) throw badData([{ path: '/body', message: 'must contain at least one change' }])
  if (submitted.length > limits.changesPerRequest) {
    const text = `A request can have at most ${limits.changesPerRequest} changes; this one has ${submitted.length}.`
    throw new ChangeRequestError('ExceedsLimitError', text)
  }
  const details: ErrorDetail[] = []
  const changes: ProposedChange[] = []
  for (const [index, change] of submitted.entries()) {
    const problem = problemOf(change, list ? ['body', index] : ['body'], limits)
    if (problem) details.push(problem)
    else changes.push(toNewChange(change as SubmittedChange))
  }
  if (details.length > 0) throw badData(details)
  return changes
}

/**
 * Reads the body that replaces a change by another one, after `guardBody`.
 *
 * @throws BadDataError with the first problem, also for a list
 */
export function parseChange(body: unknown, accepted: AcceptedChanges = {}): ProposedChange {
  const change = withoutSnapshot(body)
  const problem = problemOf(change, ['body'], accepted)
  if (problem) throw badData([problem])
  return toNewChange(change as SubmittedChange)
}

/** True for changes that {@link parseChange} accepts. */
export function acceptsChange(accepted: AcceptedChanges = {}): (change: NewChange) => boolean {
  return ({ action, feature, payload }) => {
    const change = feature === null ? { action, payload } : { action, feature, payload }
    return problemOf(change, [], accepted) === undefined
  }
}

/** Clients may send a closed change back: `payload.snapshot`, which only responses contain, is not stored. */
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
  { actions = allActions, actionSchemas, featureNames }: AcceptedChanges,
): ErrorDetail | undefined {
  if (!isObject(change)) {
    return { path: place.map(step).join(''), message: `must be object, got ${echo(change)}` }
  }
  const path = [...place, 'action']
  if (!Object.hasOwn(change, 'action')) {
    return { path: path.map(step).join(''), message: 'action is required and missing' }
  }
  const { action } = change
  const validate = validatorOfAction(action, featureNames)
  const possible = validate !== undefined && actions.includes(action as string)
  if (!possible) return notAmong(actions, action, path)
  return (
    firstProblem(validate, change, place) ??
    problemOfExpected(change, place) ??
    actionSchemas?.get(action as Action)?.problemOf(storedPart(change), place)
  )
}

/** The schema of the host app is about what is stored of a change. */
function storedPart(change: Readonly<Record<string, unknown>>): object {
  const { action, feature, payload } = change
  return { action, ...(feature !== undefined && { feature }), ...(payload !== undefined && { payload }) }
}

const digestForm = /^sha256:[0-9a-f]{64}$/

function problemOfExpected({ expected }: Readonly<Record<string, unknown>>, place: Place): ErrorDetail | undefined {
  if (expected === undefined || (typeof expected === 'string' && digestForm.test(expected))) return undefined
  const path = [...place, 'expected'].map(step).join('')
  return { path, message: `must be a digest such as sha256:9f86…, got ${echo(expected)}` }
}

function toNewChange(change: SubmittedChange): ProposedChange {
  const { action, payload, expected } = change
  const isOfSegment = definitionOf(change).target === 'segment'
  return {
    action,
    feature: isOfSegment ? null : (change as { readonly feature: string }).feature,
    payload: action === 'archiveFeature' ? {} : ((payload ?? {}) as JsonValue),
    ...(expected === undefined ? {} : { expected }),
  }
}
