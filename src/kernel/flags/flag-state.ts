import type { ChangeRequest, NewChange } from '../../domain/change-request'
import type { DefaultChange, FlagState, Subjects } from '../../domain/flag-state'
import { findDefaultChanges } from '../../domain/flags/default-changes'
import { segmentId } from '../../domain/segment-id'
import type { CurrentOptions } from '../../ports/flags'
import { callHook } from '../hooks'
import type { Services } from '../services'
import { digestOf } from './digest'
import { checkFlagState } from './gateway-answers'
import { isClosed } from './places'

/** The present flags behind change requests of one project and environment; undefined without a gateway. */
export async function presentFlags(
  services: Services,
  changeRequests: readonly ChangeRequest[],
): Promise<FlagState | undefined> {
  const [first] = changeRequests
  const changes = changeRequests.flatMap((one) => one.changes)
  return first && currentFlags(services, subjectsOf(first, changes))
}

/** The present flags; undefined without a gateway. */
export async function currentFlags(services: Services, subjects: Subjects): Promise<FlagState | undefined> {
  const { flags } = services
  if (flags === null) return undefined
  return checkFlagState(await callHook(services, 'flags.current', () => flags.current(subjects)))
}

/** The same inside the transaction of an application, where it stays as it was read. */
export async function lockedFlags(
  { flags }: Services,
  changeRequest: ChangeRequest,
  options: CurrentOptions,
): Promise<FlagState | undefined> {
  if (flags === null) return undefined
  return checkFlagState(await flags.current(subjectsOf(changeRequest, changeRequest.changes), options))
}

/** What the changes are about. */
export function subjectsOf(
  { project, environment }: Pick<ChangeRequest, 'project' | 'environment'>,
  changes: readonly NewChange[],
): Subjects {
  const features = [...new Set(changes.flatMap(({ feature }) => feature ?? []))]
  const segments = [...new Set(changes.flatMap((change) => (change.feature === null ? segmentId(change) : [])))]
  return { project, environment, features, segments }
}

/** All that an application would carry out now. */
export interface Outlook {
  readonly before: FlagState | undefined
  readonly defaultChanges: ReadonlyMap<string, DefaultChange>
  /** Of the changes and the default changes. */
  readonly digest: string
}

/** What an application would carry out now. Of what is closed nothing is carried out, so the gateway is not asked. */
export async function presentOutlook(services: Services, changeRequest: ChangeRequest): Promise<Outlook> {
  const before = isClosed(changeRequest) ? undefined : await presentFlags(services, [changeRequest])
  return outlookOf(changeRequest, before)
}

/** What would be carried out on these flags. */
export function outlookOf(changeRequest: ChangeRequest, before: FlagState | undefined): Outlook {
  const defaultChanges = before === undefined ? new Map() : findDefaultChanges(changeRequest, before)
  return { before, defaultChanges, digest: digestOf(changeRequest, defaultChanges) }
}
