import type { ChangeRequest, NewChange } from '../../domain/change-request'
import type { FlagState } from '../../domain/flag-state'
import { closedStates, nextState } from '../../domain/lifecycle'
import type { Missing } from '../../domain/steps/codes'
import { foreignSegment } from '../../domain/steps/content-rules'
import type { StepFacts } from '../../domain/steps/facts'
import type { ChangeRequestError, ErrorDetail } from '../../errors'
import type { Actor } from '../../ports/access'
import type { ApplicableChange } from '../../ports/flags'
import type { ValidationContext } from '../../ports/validate'
import { isRefusal } from '../failures'
import { callHook, describeValue, wrongAnswer } from '../hooks'
import type { Services } from '../services'

type Hooks = Pick<Services, 'validate' | 'options'>

/** What the validator of the host says about a proposal. */
export interface Verdict {
  readonly invalid: readonly Missing[]
  /** What it threw to refuse the proposal; the caller gets it as it is. */
  readonly rejected?: ChangeRequestError
}

/**
 * What the validator of the host finds wrong with changes that the caller proposes.
 *
 * @param listed False for a body that is a single change: paths then have no position.
 */
export async function validateProposal(
  services: Hooks,
  changes: readonly NewChange[],
  context: Omit<ValidationContext, 'when'>,
  listed: boolean,
): Promise<Verdict> {
  try {
    const found = await ask(services, changes, { ...context, when: 'propose' })
    const invalid = found.map(({ message, path }): Missing => {
      const place = listed ? path : path?.replace(/^\/body\/0(?=\/|$)/, '/body')
      return { code: 'invalid', message, ...(place === undefined ? {} : { path: place }) }
    })
    return { invalid }
  } catch (error) {
    if (isRefusal(error)) return { invalid: [], rejected: error }
    throw error
  }
}

/** What it finds wrong with changes that no caller sent, so no path leads to them: a revert would propose them. */
export async function validateUnsent(
  services: Hooks,
  changes: readonly NewChange[],
  context: Omit<ValidationContext, 'when'>,
): Promise<readonly Missing[]> {
  const found = await findInvalid(services, changes, { ...context, when: 'propose' })
  return found.map(({ message }): Missing => ({ code: 'invalid', message }))
}

/** What is wrong with proposed changes of segments that belong to other projects as well (extensions 7). */
export function refuseForeignSegments(
  { options }: Pick<Services, 'options'>,
  changes: readonly NewChange[],
  {
    project,
    present,
    listed,
  }: { readonly project: string; readonly present: FlagState | undefined; readonly listed: boolean },
): readonly Missing[] {
  if (options.globalSegments) return []
  return changes.flatMap((change, index): Missing | [] => {
    const message = foreignSegment(change, project, present)
    const path = listed ? `/body/${index}/payload/id` : '/body/payload/id'
    return message === undefined ? [] : { code: 'invalid', message, path }
  })
}

/** What it finds wrong with the changes of a change request. It is not asked about steps that the state rules out. */
export async function validateStored(
  services: Hooks,
  actor: Actor,
  changeRequest: ChangeRequest,
  ...occasions: readonly ('submit' | 'apply')[]
): Promise<NonNullable<StepFacts['invalid']>> {
  const { project, environment, changes, state } = changeRequest
  const possible = occasions.filter((when) =>
    when === 'submit' ? nextState(state, 'submit') !== undefined : !closedStates.includes(state),
  )
  const entries = possible.map(async (when) => {
    const found = await findInvalid(services, changes, { when, project, environment, actor })
    return [when, found.map((detail) => inChangeRequest(detail, changeRequest))] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** No body of the caller has these changes, so the sentence names the change in place of a path. */
function inChangeRequest({ message, path }: ErrorDetail, { changes }: ChangeRequest): Missing {
  const [, position, property = ''] = /^\/body\/(\d+)(?:\/(.*))?$/.exec(path ?? '') ?? []
  const change = position === undefined ? undefined : changes[Number(position)]
  if (change === undefined) return { code: 'invalid', message }
  const place = property === '' ? `Change ${change.id}` : `Change ${change.id}, ${property}`
  return { code: 'invalid', message: `${place}: ${message}` }
}

/** Outside of a proposal, what the validator throws to refuse counts like what it returns: the step is what is refused. */
async function findInvalid(...question: Parameters<typeof ask>): Promise<readonly ErrorDetail[]> {
  try {
    return await ask(...question)
  } catch (error) {
    if (isRefusal(error)) return error.details
    throw error
  }
}

/** The hook gets copies, which it may alter. */
async function ask(
  services: Hooks,
  changes: readonly (NewChange & { readonly id?: number })[],
  context: ValidationContext,
): Promise<readonly ErrorDetail[]> {
  const { validate } = services
  if (validate === null) return []
  const picked = changes.map(({ id = null, action, feature, payload }) => ({ id, action, feature, payload }))
  const copies = structuredClone(picked) as ApplicableChange[]
  return checkDetails(await callHook<unknown>(services, 'validate', () => validate(copies, context)))
}

function checkDetails(answer: unknown): readonly ErrorDetail[] {
  if (answer == null) return []
  if (Array.isArray(answer) && answer.every(isDetail)) return answer
  throw wrongAnswer('validate', describeValue(answer), 'a list of { message, path? }, or nothing')
}

function isDetail(detail: Partial<ErrorDetail> | null): boolean {
  const { message, path } = detail ?? {}
  return typeof message === 'string' && (path === undefined || typeof path === 'string')
}
