import { targetPart } from '../../domain/actions/table'
import type { Place } from '../../domain/approval/approval-rule'
import type { JsonValue } from '../../domain/change-request'
import { segmentsIn } from '../../domain/content/mentions'
import type { FlagState, SegmentState } from '../../domain/flag-state'
import { ChangeRequestError } from '../../errors'
import type { Action } from '../../generated'
import { hashOf } from '../../kernel/digest'
import { currentFlags, namesOfSegments } from '../../kernel/host/flag-state'
import { callHook, describeValue, invalidHookResult } from '../../kernel/host/hooks'
import { createPermissionCheck, type PermissionCheck } from '../../kernel/host/permissions'
import { unknownFeatures } from '../../kernel/host/unknown-flags'
import type { Services } from '../../kernel/services'
import type { Caller } from '../../kernel/step/step-input'
import { usersOfSegment } from '../../kernel/view/segments'

const maxFound = 20

/** The names of flags that the host app finds, at most 20; null if it cannot search. */
export async function searchFlags(
  services: Services,
  { query, ...place }: Place & { readonly query: string },
): Promise<readonly string[] | null> {
  const { directory } = services
  if (directory.searchFeatures === undefined) return null
  const found = await callHook<unknown>(services, 'directory.searchFeatures', () =>
    directory.searchFeatures?.(query, place),
  )
  const isIterable = typeof found === 'object' && found !== null && Symbol.iterator in found
  const names = isIterable ? [...(found as Iterable<unknown>)] : undefined
  if (names?.every((name) => typeof name === 'string')) return names.slice(0, maxFound)
  throw invalidHookResult('directory.searchFeatures', describeValue(found), 'a list of names of flags')
}

/** @throws NotFoundError for a flag that the directory or the gateway does not know. */
export async function findFlag(services: Services, { name, project, environment }: Place & { readonly name: string }) {
  const unknown = await unknownFeatures(services, project, [{ feature: name }])
  if (unknown.length > 0) throw notFound(`The project has no flag named ${name}.`)
  const found = await currentFlags(services, { project, environment, features: [name], segments: [] })
  if (found?.features.has(name) === false) throw notFound(`The project has no flag named ${name}.`)
  const state = found?.features.get(name) ?? null
  const mentioned = [...new Set(state?.strategies?.flatMap(segmentsIn))]
  const segmentNames = await namesOfSegments(services, { project, environment }, mentioned)
  return { name, state, segmentNames, targets: found === undefined ? {} : targetsOfFlag(name, found) }
}

/** Digests of what changes can alter, by the id of the strategy or the name of the part (contract 16.1). */
type Targets = Readonly<Record<string, string>>

type Named = readonly [name: string, action: Action, payload: JsonValue]

/** The parts of a flag, where the gateway returns them. A strategy with the id of a part is left out. */
export function targetsOfFlag(feature: string, state: FlagState): Targets {
  const { strategies = [], milestoneStrategies = [] } = state.features.get(feature) ?? {}
  return digestsOf(feature, state, [
    ...milestoneStrategies.map(({ id }): Named => [id, 'updateMilestoneStrategy', { id }]),
    ...strategies.map(({ id }): Named => [id, 'updateStrategy', { id }]),
    ['enabled', 'updateEnabled', { enabled: true }],
    ['activation', 'updateEnabled', { enabled: true, shouldActivateDisabledStrategies: true }],
    ['variants', 'patchVariant', { variants: [] }],
    ['order', 'reorderStrategy', []],
    ['dependencies', 'deleteDependency', {}],
  ])
}

/** Each is the digest of exactly the part that such a change has as its base. */
function digestsOf(feature: string | null, state: FlagState, parts: readonly Named[]): Targets {
  const digests = parts.flatMap(([name, action, payload]) => {
    const part = targetPart({ action, feature, payload }, state)
    return part === undefined ? [] : [[name, hashOf(part)] as const]
  })
  return Object.fromEntries(digests)
}

/** @throws NotFoundError for a segment that the gateway does not know, or of a project that the caller cannot read. */
export async function findSegment(
  services: Services,
  {
    id,
    project,
    environment,
    actor,
    hasPermission = createPermissionCheck(services, actor),
  }: Place & Pick<Caller, 'actor' | 'hasPermission'> & { readonly id: number | undefined },
) {
  const place = { project, environment }
  if (id === undefined) throw notFound('The project has no such segment.')
  const found = await currentFlags(services, { ...place, features: [], segments: [id] })
  if (found === undefined) return { id, state: null, targets: {} as Targets, usedBy: null }
  const state = found.segments.get(id)
  if (state === undefined || !(await isReadable(state, place, hasPermission))) {
    throw notFound(`The project has no segment ${id}.`)
  }
  return {
    id,
    state,
    targets: digestsOf(null, found, [['segment', 'deleteSegment', { id }]]),
    usedBy: await usersOfSegment(id, found, { project, hasPermission }),
  }
}

/** A gateway may also return segments that are limited to other projects. */
async function isReadable({ project }: SegmentState, own: Place, hasPermission: PermissionCheck) {
  if (typeof project !== 'string' || project === own.project) return true
  return hasPermission('READ_CHANGE_REQUEST', { project })
}

function notFound(message: string): ChangeRequestError {
  return new ChangeRequestError('NotFoundError', message)
}
