import type { TargetPart } from '../../domain/actions/action'
import type { NewChange } from '../../domain/change-request'
import { phraseOf } from '../../domain/content/phrases'
import { excessOfChanges } from '../../domain/content/size'
import { stored } from '../../domain/decisions/changes'
import { type Revert, revertOf, revertOfScheduled } from '../../domain/diff/revert'
import type { FlagState } from '../../domain/flag-state'
import { currentPart } from '../../domain/flags/base'
import { isClosed } from '../../domain/lifecycle'
import type { Missing } from '../../domain/steps/codes'
import type { CopyFacts, DraftFacts, DraftOrigin, RevertFacts } from '../../domain/steps/facts'
import { hashOf } from '../digest'
import { requirePerson } from '../host/author'
import { currentFlags, subjectsOf } from '../host/flag-state'
import { unknownFeatures, unknownFeaturesError } from '../host/unknown-flags'
import { changeLimitsOf, now } from '../host-services'
import type { FactContext } from './fact-context'
import { reachOf } from './reach'
import { foreignSegmentsIn, validateUnsent } from './validate'

async function draftFacts(
  context: FactContext,
  changes: readonly NewChange[],
  current: readonly TargetPart[] | undefined,
): Promise<DraftFacts> {
  const { services, actor, changeRequest } = context
  const { project, environment } = changeRequest
  const [found, foreign] = await Promise.all([
    validateUnsent(services, changes, { project, environment, actor, ...(current && { current }) }),
    foreignSegmentsOf(context, changes),
  ])
  const invalid = [...found, ...foreign.map(({ code, message }): Missing => ({ code, message }))]
  return { invalid, excess: excessOf(context, changes) }
}

export async function draftOrigin(
  { services, changeRequest }: FactContext,
  changes: readonly NewChange[],
): Promise<DraftOrigin> {
  if (changes.length === 0) return { flags: undefined, gatedMinimum: undefined }
  const { project, environment } = changeRequest
  const [flags, { gatedMinimum }] = await Promise.all([
    currentFlags(services, subjectsOf(changeRequest, changes)),
    reachOf(services, { project, environment, changes }),
  ])
  return { flags, gatedMinimum }
}

async function foreignSegmentsOf(
  { services, changeRequest, flagsAreOptional }: FactContext,
  changes: readonly NewChange[],
): Promise<readonly Missing[]> {
  const { project } = changeRequest
  const segments = changes.filter(({ feature }) => feature === null)
  if (segments.length === 0 || services.options.globalSegments) return []
  const reading = currentFlags(services, subjectsOf(changeRequest, segments))
  // The review of a closed change request reads no other flags, and must not fail because of these.
  const flags = await (flagsAreOptional === true ? reading.catch(() => undefined) : reading)
  return foreignSegmentsIn(services, segments, { project, flags, listed: true })
}

function excessOf({ services, actor }: FactContext, changes: readonly NewChange[]): string | undefined {
  if (actor.id === null) return undefined
  const author = requirePerson(actor, undefined, services)
  const origin = { author, now: now(services), flags: undefined, hash: hashOf }
  const proposed = changes.map((change) => stored(change, Number.MAX_SAFE_INTEGER, origin))
  return excessOfChanges([], proposed, changeLimitsOf(services.options.limits))
}

export async function copyFacts(
  context: FactContext,
  readFlags: () => Promise<FlagState | undefined>,
): Promise<CopyFacts | undefined> {
  const { services, changeRequest } = context
  const { state, project, changes } = changeRequest
  if (!isClosed({ state })) return undefined
  const rejected = await unknownFeaturesError(services, project, changes)
  if (rejected !== undefined) return { rejected, invalid: [], excess: undefined }
  const flags = await readFlags()
  const current = flags && changes.map((change) => currentPart(change, flags))
  const copies = changes.map(({ action, feature, payload }) => ({ action, feature, payload }))
  const { invalid, excess } = await draftFacts(context, copies, current)
  const unsupported = changes
    .filter((change) => !services.accepts(change))
    .map((change): Missing => ({ code: 'invalid', message: `${phraseOf(change)} can no longer be proposed.` }))
  return { rejected, invalid: [...unsupported, ...invalid], excess }
}

export async function revertFacts(
  context: FactContext,
  possible: Revert | undefined,
): Promise<RevertFacts | undefined> {
  // A revert is never invalid for what the target had before.
  const before = possible?.changes.map(({ restores }) => restores as TargetPart)
  return possible && { ...possible, ...(await draftFacts(context, possible.changes, before)) }
}

export async function possibleRevert(
  { services, changeRequest }: FactContext,
  readFlags: () => Promise<FlagState | undefined>,
): Promise<Revert | undefined> {
  const { state, project, changes } = changeRequest
  if (state !== 'Applied' && state !== 'Scheduled') return undefined
  const missing = new Set(await unknownFeatures(services, project, changes))
  const isPossible = (change: NewChange) => !missing.has(change.feature ?? '') && services.accepts(change)
  return state === 'Applied'
    ? revertOf(changeRequest, isPossible)
    : revertOfScheduled(changeRequest, await readFlags(), isPossible)
}
