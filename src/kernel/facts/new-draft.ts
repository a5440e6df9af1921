import type { TargetPart } from '../../domain/actions/action'
import type { ChangeRequest, NewChange } from '../../domain/change-request'
import { excessOfChanges } from '../../domain/content/size'
import { stored } from '../../domain/decisions/changes'
import type { Missing } from '../../domain/steps/codes'
import type { DraftFacts, DraftOrigin } from '../../domain/steps/facts'
import { hashOf } from '../digest'
import { requirePerson } from '../host/author'
import { currentFlags, subjectsOf } from '../host/flag-state'
import { changeLimitsOf, type HostServices, now } from '../host-services'
import type { FactContext } from './fact-context'
import { reachOf } from './reach'
import { foreignSegmentsIn, validateUnsent } from './validate'

/**
 * What is wrong with the changes of a draft that a step creates: no caller sent them.
 *
 * @param current For each change, the part of its target that it is compared with; undefined without a gateway.
 */
export async function draftFacts(
  context: FactContext,
  changes: readonly NewChange[],
  current: readonly TargetPart[] | undefined,
): Promise<DraftFacts> {
  const { services, actor, changeRequest } = context
  const { project, environment } = changeRequest
  const [found, foreign] = await Promise.all([
    validateUnsent(services, changes, { project, environment, actor, ...(current && { current }) }),
    foreignSegmentsOf(services, changeRequest, changes),
  ])
  const invalid = [...found, ...foreign.map(({ code, message }): Missing => ({ code, message }))]
  return { invalid, excess: excessOf(context, changes) }
}

/** The flags that the changes of such a draft are based on. */
export async function draftOrigin(
  { services, changeRequest }: FactContext,
  changes: readonly NewChange[],
): Promise<DraftOrigin> {
  const { project, environment } = changeRequest
  const [flags, { gatedMinimum }] = await Promise.all([
    currentFlags(services, subjectsOf(changeRequest, changes)),
    reachOf(services, { project, environment, changes }),
  ])
  return { flags, gatedMinimum }
}

/** The gateway is called only for segments. */
async function foreignSegmentsOf(
  services: HostServices,
  { project, environment }: ChangeRequest,
  changes: readonly NewChange[],
): Promise<readonly Missing[]> {
  const segments = changes.filter(({ feature }) => feature === null)
  if (segments.length === 0 || services.options.globalSegments) return []
  const flags = await currentFlags(services, subjectsOf({ project, environment }, segments))
  return foreignSegmentsIn(services, segments, { project, flags, listed: true })
}

/** Why the changes exceed the limits of a change request. */
function excessOf({ services, actor }: FactContext, changes: readonly NewChange[]): string | undefined {
  if (actor.id === null) return undefined
  const origin = {
    author: requirePerson(actor, undefined, services),
    now: now(services),
    flags: undefined,
    hash: hashOf,
  }
  const proposed = changes.map((change) => stored(change, Number.MAX_SAFE_INTEGER, origin))
  return excessOfChanges([], proposed, changeLimitsOf(services.options.limits))
}
