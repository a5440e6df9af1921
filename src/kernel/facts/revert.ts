import type { Author, ChangeRequest, NewChange } from '../../domain/change-request'
import { excessOfChanges } from '../../domain/content/size'
import { stored } from '../../domain/decisions/changes'
import { type Revert, revertOf } from '../../domain/diff/revert'
import type { Missing } from '../../domain/steps/codes'
import type { RevertFacts, RevertOrigin } from '../../domain/steps/facts'
import { hashOf } from '../flags/digest'
import { currentFlags, subjectsOf } from '../flags/flag-state'
import { requirePerson } from '../people/author'
import { changeLimitsOf, now, type Services } from '../services'
import type { FactContext } from './fact-context'
import { reachOf } from './reach'
import { unknownFeatures } from './unknown-flags'
import { foreignSegmentsIn, validateUnsent } from './validate'

/** The changes that a revert would propose, validated. */
export async function revertFacts(
  context: FactContext,
  possible: Revert | undefined,
): Promise<RevertFacts | undefined> {
  if (possible === undefined) return undefined
  const { services, actor, changeRequest } = context
  const { project, environment } = changeRequest
  const { changes } = possible
  const [found, foreign] = await Promise.all([
    validateUnsent(services, changes, { project, environment, actor }),
    foreignSegmentsOf(services, changeRequest, changes),
  ])
  const invalid = [...found, ...foreign.map(({ code, message }): Missing => ({ code, message }))]
  const excess = actor.id === null ? undefined : excessOf(services, requirePerson(actor, undefined, services), changes)
  return { ...possible, invalid, excess }
}

/** The flags that the changes of the revert are based on. */
export async function revertOrigin(
  { services, changeRequest }: FactContext,
  possible: Revert | undefined,
): Promise<RevertOrigin> {
  const { project, environment } = changeRequest
  const changes = possible?.changes ?? []
  const [flags, { gatedMinimum }] = await Promise.all([
    currentFlags(services, subjectsOf(changeRequest, changes)),
    reachOf(services, { project, environment, changes }),
  ])
  return { flags, gatedMinimum }
}

/** The gateway is called only for segments. */
async function foreignSegmentsOf(
  services: Services,
  { project, environment }: ChangeRequest,
  changes: readonly NewChange[],
): Promise<readonly Missing[]> {
  const segments = changes.filter(({ feature }) => feature === null)
  if (segments.length === 0 || services.options.globalSegments) return []
  const flags = await currentFlags(services, subjectsOf({ project, environment }, segments))
  return foreignSegmentsIn(services, segments, { project, flags, listed: true })
}

/** Why the changes exceed the limits of a change request. */
function excessOf(services: Services, author: Author, changes: readonly NewChange[]): string | undefined {
  const origin = { author, now: now(services), flags: undefined, hash: hashOf }
  const proposed = changes.map((change) => stored(change, Number.MAX_SAFE_INTEGER, origin))
  return excessOfChanges([], proposed, changeLimitsOf(services.options.limits))
}

/** The changes that revert it, and those that cannot be reverted. */
export async function possibleRevert({ services, changeRequest }: FactContext): Promise<Revert | undefined> {
  if (changeRequest.state !== 'Applied') return undefined
  const missing = new Set(await unknownFeatures(services, changeRequest.project, changeRequest.changes))
  return revertOf(changeRequest, (change) => !missing.has(change.feature ?? '') && services.accepts(change))
}
