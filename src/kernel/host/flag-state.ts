import { segmentId } from '../../domain/actions/table'
import type { ChangeRequest, NewChange } from '../../domain/change-request'
import { groupBy } from '../../domain/content/grouping'
import { mentionsOf, segmentsIn } from '../../domain/content/mentions'
import type { DefaultChange, FlagState, Subjects } from '../../domain/flag-state'
import { findActivations, findDefaultChanges } from '../../domain/flags/default-changes'
import type { Place } from '../../domain/rules/condition'
import { codeTable, type Missing } from '../../domain/steps/codes'
import { ChangeRequestError } from '../../errors'
import type { CurrentOptions } from '../../ports/flags'
import { digestOf } from '../digest'
import type { HostServices } from '../host-services'
import { checkFlagState } from './gateway-results'
import { within } from './hooks'

const hook = 'flags.current'
const code = 'flags-unavailable'
const unavailable = codeTable[code]

/** The current flags of change requests of one project and environment; undefined without a gateway. */
export async function currentFlagsOf(
  services: HostServices,
  changeRequests: readonly ChangeRequest[],
): Promise<FlagState | undefined> {
  const [first] = changeRequests
  const changes = changeRequests.flatMap((one) => one.changes)
  return first && currentFlags(services, subjectsOf(first, changes))
}

export async function currentFlags(services: HostServices, subjects: Subjects): Promise<FlagState | undefined> {
  const { flags } = services
  if (flags === null) return undefined
  return readFlags(subjects, (about) => askGateway(services, () => flags.current(about)))
}

/** @throws UnavailableError with a detail for {@link flagsUnavailable}; an error of another name, by which a gateway rejects, unchanged. */
async function askGateway({ options }: HostServices, ask: () => FlagState | Promise<FlagState>): Promise<FlagState> {
  try {
    return await within(options.limits.hookTimeoutMs, hook, ask)
  } catch (error) {
    const isOwn = ChangeRequestError.is(error)
    if (isOwn && error.name !== unavailable.error) throw error
    const message = isOwn ? error.message : `The current flags could not be read (${hook}). Try again.`
    const { retryAfter, cause = error } = isOwn ? error : {}
    throw new ChangeRequestError(unavailable.error, message, {
      details: [{ code, message }],
      ...(retryAfter !== undefined && { retryAfter }),
      cause,
    })
  }
}

/** What every step that reads the flags is missing while the gateway fails; undefined for any other error. */
export function flagsUnavailable(error: unknown): Missing | undefined {
  const detail = ChangeRequestError.is(error) ? error.details.find((one) => one.code === code) : undefined
  return detail && { code, message: detail.message }
}

/** The same inside the transaction of an apply, in which the flags are locked. */
export async function lockedFlags(
  { flags }: HostServices,
  changeRequest: ChangeRequest,
  options: CurrentOptions,
): Promise<FlagState | undefined> {
  if (flags === null) return undefined
  return readFlags(subjectsOf(changeRequest, changeRequest.changes), (about) => flags.current(about, options))
}

async function readFlags(
  subjects: Subjects,
  read: (subjects: Subjects) => FlagState | Promise<FlagState>,
): Promise<FlagState> {
  const state = checkFlagState(await read(subjects))
  const further = furtherMentions(subjects, state)
  return further === undefined ? state : withMissing(state, checkFlagState(await read(further)))
}

/**
 * The segments of the default strategy, which nobody knows before the gateway returns it: they are looked up if it may be added
 * to a flag. Undefined if there are none, or if the gateway does not check what is mentioned.
 */
export function furtherMentions(
  { mentions, ...place }: Subjects,
  { features, defaultStrategy, missing }: FlagState,
): Subjects | undefined {
  if (mentions === undefined || missing?.segments === undefined) return undefined
  const segments = segmentsIn(defaultStrategy).filter((id) => !mentions.segments.includes(id))
  if (segments.length === 0 || [...features.values()].every(({ enabled }) => enabled)) return undefined
  return { ...place, features: [], segments: [], mentions: { segments, templates: [] } }
}

export function withMissing(state: FlagState, { missing: further }: FlagState): FlagState {
  const { segments = [] } = state.missing ?? {}
  return { ...state, missing: { ...state.missing, segments: [...segments, ...(further?.segments ?? [])] } }
}

export function subjectsOf({ project, environment }: Place, changes: readonly NewChange[]): Subjects {
  const features = [...new Set(changes.flatMap(({ feature }) => feature ?? []))]
  const segments = [...new Set(changes.flatMap((change) => (change.feature === null ? segmentId(change) : [])))]
  return { project, environment, features, segments, mentions: mentionsOf(changes) }
}

/** The effect of an apply: the flags before it, the implied changes and the digest. */
export interface ApplyPreview {
  readonly before: FlagState | undefined
  readonly defaultChanges: ReadonlyMap<string, DefaultChange>
  /** The digest of the changes, the implied changes and the strategies that would be activated. */
  readonly digest: string
}

export function previewOf(
  changeRequest: ChangeRequest,
  before: FlagState | undefined,
  defaultChanges = findDefaultChanges(changeRequest, before),
): ApplyPreview {
  const activations = before && findActivations(changeRequest.changes, defaultChanges, before)
  return { before, defaultChanges, digest: digestOf(changeRequest, defaultChanges, activations) }
}

/** Unknown ones are missing, and all are if the gateway fails: what mentions them is complete without their names. */
export async function namesOfSegments(
  services: HostServices,
  { project, environment }: Place,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const subjects = { project, environment, features: [], segments: ids }
  const found = await currentFlags(services, subjects).catch(() => undefined)
  return segmentNamesIn(found)
}

export function segmentNamesIn(flags: FlagState | undefined): ReadonlyMap<number, string> {
  return new Map([...(flags?.segments ?? [])].map(([id, { name }]) => [id, name]))
}

export function placeOf({ project, environment }: Place): string {
  return `${project}/${environment}`
}

/** A flag gateway is called for one project and environment at a time. */
export function groupByPlace<Item extends Place>(items: readonly Item[]): Map<string, Item[]> {
  return groupBy(items, placeOf)
}
