import type { ChangeRequest, NewChange } from '../../domain/change-request'
import type { DefaultChange, FlagState, Subjects } from '../../domain/flag-state'
import { findActivations } from '../../domain/flags/activations'
import { findDefaultChanges } from '../../domain/flags/default-changes'
import { segmentId } from '../../domain/segment-id'
import type { CurrentOptions } from '../../ports/flags'
import { callHook } from '../hooks'
import type { Services } from '../services'
import { digestOf } from './digest'
import { checkFlagState } from './gateway-results'
import { isClosed } from './places'

/** The current flags of change requests of one project and environment; undefined without a gateway. */
export async function currentFlagsOf(
  services: Services,
  changeRequests: readonly ChangeRequest[],
): Promise<FlagState | undefined> {
  const [first] = changeRequests
  const changes = changeRequests.flatMap((one) => one.changes)
  return first && currentFlags(services, subjectsOf(first, changes))
}

/** The current flags; undefined without a gateway. */
export async function currentFlags(services: Services, subjects: Subjects): Promise<FlagState | undefined> {
  const { flags } = services
  if (flags === null) return undefined
  return checkFlagState(await callHook(services, 'flags.current', () => flags.current(subjects)))
}

/** The same inside the transaction of an apply, in which the flags are locked. */
export async function lockedFlags(
  { flags }: Services,
  changeRequest: ChangeRequest,
  options: CurrentOptions,
): Promise<FlagState | undefined> {
  if (flags === null) return undefined
  return checkFlagState(await flags.current(subjectsOf(changeRequest, changeRequest.changes), options))
}

/** The flags and segments of the changes. */
export function subjectsOf(
  { project, environment }: Pick<ChangeRequest, 'project' | 'environment'>,
  changes: readonly NewChange[],
): Subjects {
  const features = [...new Set(changes.flatMap(({ feature }) => feature ?? []))]
  const segments = [...new Set(changes.flatMap((change) => (change.feature === null ? segmentId(change) : [])))]
  return { project, environment, features, segments }
}

/** The effect of an apply: the flags before it, the implied changes and the digest. */
export interface ApplyPreview {
  readonly before: FlagState | undefined
  readonly defaultChanges: ReadonlyMap<string, DefaultChange>
  /** The digest of the changes, the implied changes and the strategies that would be activated. */
  readonly digest: string
}

/** The effect of an apply on the current flags. Closed change requests are never applied, so the gateway is not called. */
export async function currentPreview(services: Services, changeRequest: ChangeRequest): Promise<ApplyPreview> {
  const before = isClosed(changeRequest) ? undefined : await currentFlagsOf(services, [changeRequest])
  return previewOf(changeRequest, before)
}

/** The effect of an apply on these flags. */
export function previewOf(changeRequest: ChangeRequest, before: FlagState | undefined): ApplyPreview {
  const defaultChanges = before === undefined ? new Map() : findDefaultChanges(changeRequest, before)
  const activations = before && findActivations(changeRequest.changes, defaultChanges, before)
  return { before, defaultChanges, digest: digestOf(changeRequest, defaultChanges, activations) }
}
