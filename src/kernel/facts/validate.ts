import type { Change, NewChange } from '../../domain/change-request'
import { fieldName, phraseOf } from '../../domain/content/phrases'
import type { DefaultChange, FlagState } from '../../domain/flag-state'
import { currentPart, partBefore } from '../../domain/flags/base'
import { allows, isClosed } from '../../domain/lifecycle'
import type { Missing } from '../../domain/steps/codes'
import { foreignSegment } from '../../domain/steps/content-rules'
import type { ErrorDetail } from '../../errors'
import type { ApplicableChange } from '../../ports/flags'
import type { ValidationContext } from '../../ports/validate'
import { isRejectionByHook } from '../host/failures'
import { callHook, describeValue, invalidHookResult } from '../host/hooks'
import type { HostServices } from '../host-services'
import type { FactContext } from './fact-context'

type Hooks = Pick<HostServices, 'validate' | 'options' | 'operatorProblem'>

/** Not called for an operator that is neither known nor in the target. `listed`: see {@link Proposal}. */
export async function validateProposal(
  services: Hooks,
  changes: readonly NewChange[],
  context: Omit<ValidationContext, 'when'>,
  listed: boolean,
): Promise<readonly Missing[]> {
  const placeOf = (index: number) => (listed ? ['body', index] : ['body'])
  const unknown = changes.flatMap((change, index): Missing | [] => {
    const problem = services.operatorProblem(change, context.current?.[index], placeOf(index))
    return problem === undefined ? [] : { ...problem, code: 'invalid' }
  })
  if (unknown.length > 0) return unknown
  const found = await callValidate(services, changes, { ...context, when: 'propose' })
  return found.map(({ message, path }): Missing => {
    const place = listed ? path : path?.replace(/^\/body\/0(?=\/|$)/, '/body')
    return { code: 'invalid', message, ...(place === undefined ? {} : { path: place }) }
  })
}

/** The same for the changes of a revert or a copy: no caller sent them, so the findings have no path. */
export async function validateUnsent(
  services: Hooks,
  changes: readonly NewChange[],
  context: Omit<ValidationContext, 'when'>,
): Promise<readonly Missing[]> {
  const unknown = changes.flatMap((change, index): Missing | [] => {
    const problem = services.operatorProblem(change, context.current?.[index])
    return problem === undefined ? [] : { code: 'invalid', message: `${phraseOf(change)}: ${problem.message}` }
  })
  if (unknown.length > 0) return unknown
  const found = await findInvalid(services, changes, { ...context, when: 'propose' })
  return found.map(({ message }): Missing => ({ code: 'invalid', message }))
}

/** The findings about proposed changes of segments that do not belong to the project (contract 18). */
export function foreignSegmentsIn(
  { options }: Pick<HostServices, 'options'>,
  changes: readonly NewChange[],
  {
    project,
    flags,
    listed,
  }: { readonly project: string; readonly flags: FlagState | undefined; readonly listed: boolean },
): readonly Missing[] {
  if (options.globalSegments) return []
  return changes.flatMap((change, index): Missing | [] => {
    const foreign = foreignSegment(change, project, flags)
    if (foreign === undefined) return []
    const { message, property } = foreign
    return { code: 'invalid', message, path: `/body/${listed ? `${index}/` : ''}payload/${property}` }
  })
}

/** The same when the changes are submitted or applied. If the state does not allow that, the validator is not called. */
export async function validateStored(
  { services, actor, changeRequest }: Pick<FactContext, 'services' | 'actor' | 'changeRequest'>,
  when: 'submit' | 'apply',
  implied: readonly DefaultChange[] = [],
  flags?: FlagState,
): Promise<readonly Missing[]> {
  const { project, environment, changes, state } = changeRequest
  const { flags: gateway } = services
  const isPossible = when === 'submit' ? allows(state, 'submit') : !isClosed({ state })
  if (!isPossible) return []
  const all = [...changes, ...implied]
  const current =
    gateway === null ? undefined : [...changes.map(partBefore), ...implied.map((change) => currentPart(change, flags))]
  const found = await findInvalid(services, all, { when, project, environment, actor, ...(current && { current }) })
  return found.map((detail) => inChangeRequest(detail, all))
}

/** The changes are not in the body of the caller, so the message names change and field instead of a path. */
function inChangeRequest({ message, path }: ErrorDetail, changes: readonly (Change | DefaultChange)[]): Missing {
  const [, position, property = ''] = /^\/body\/(\d+)(\/.*)?$/.exec(path ?? '') ?? []
  const change = position === undefined ? undefined : changes[Number(position)]
  if (change === undefined) return { code: 'invalid', message }
  const field = fieldName(property.replace(/^\/payload/, ''))
  const name = 'id' in change ? phraseOf(change) : `${phraseOf(change)}, an implied change`
  const place = field === null ? name : `${name}, ${field}`
  return { code: 'invalid', message: `${place}: ${message}` }
}

/** Outside of a proposal, an error that the validator throws to reject counts like problems that it returns. */
async function findInvalid(...args: Parameters<typeof callValidate>): Promise<readonly ErrorDetail[]> {
  try {
    return await callValidate(...args)
  } catch (error) {
    if (isRejectionByHook(error)) return error.details
    throw error
  }
}

/** The hook gets copies, so it can alter them. */
async function callValidate(
  services: Hooks,
  changes: readonly (NewChange & { readonly id?: number })[],
  context: ValidationContext,
): Promise<readonly ErrorDetail[]> {
  const { validate } = services
  if (validate === null) return []
  const picked = changes.map(({ id = null, action, feature, payload }) => ({ id, action, feature, payload }))
  const copies = structuredClone(picked) as ApplicableChange[]
  const { current } = context
  const copied = current === undefined ? context : { ...context, current: structuredClone(current) }
  const result = await callHook<unknown>(services, 'validate', () => validate(copies, copied))
  if (result == null) return []
  if (Array.isArray(result) && result.every(isDetail)) return result
  throw invalidHookResult('validate', describeValue(result), 'a list of { message, path? }, or nothing')
}

function isDetail(detail: Partial<ErrorDetail> | null): boolean {
  const { message, path } = detail ?? {}
  return typeof message === 'string' && (path === undefined || typeof path === 'string')
}
