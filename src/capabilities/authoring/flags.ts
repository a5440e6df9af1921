import { targetPart } from '../../domain/actions/table'
import type { JsonValue } from '../../domain/change-request'
import { segmentsIn } from '../../domain/content/mentions'
import type { FlagState, SegmentState } from '../../domain/flag-state'
import type { Place } from '../../domain/rules/condition'
import { ChangeRequestError } from '../../errors'
import type { Action } from '../../generated'
import { hashOf } from '../../kernel/digest'
import { currentFlags, namesOfSegments } from '../../kernel/host/flag-state'
import { createPermissionCheck, type PermissionCheck } from '../../kernel/host/permissions'
import { listEnvironments } from '../../kernel/host/settings'
import { unknownFeatures } from '../../kernel/host/unknown-flags'
import type { Services } from '../../kernel/services'
import type { Caller } from '../../kernel/step/step-input'
import { usersOfSegment } from '../../kernel/view/segments'

const maxEnvironments = 20

type InPlace = Place & Pick<Caller, 'actor' | 'hasPermission'>

/** @throws NotFoundError for a flag that the directory or the gateway does not know. */
export async function findFlag(
  services: Services,
  {
    name,
    project,
    environment,
    actor,
    hasPermission = createPermissionCheck(services, actor),
  }: InPlace & { readonly name: string },
) {
  const unknown = await unknownFeatures(services, project, [{ feature: name }])
  if (unknown.length > 0) throw notFound(`The project has no flag named ${name}.`)
  const found = await currentFlags(services, { project, environment, features: [name], segments: [] })
  if (found?.features.has(name) === false) throw notFound(`The project has no flag named ${name}.`)
  const state = found?.features.get(name) ?? null
  const others = (await listEnvironments(services, project)).filter((one) => one.name !== environment)
  const mayRead = await hasPermission('READ_CHANGE_REQUEST', { project })
  const environments = await Promise.all(
    (mayRead ? others.slice(0, maxEnvironments) : []).map(async ({ name: other }) => {
      const subjects = { project, environment: other, features: [name], segments: [] }
      const there = await currentFlags(services, subjects).catch(() => undefined)
      return { name: other, state: there?.features.get(name) ?? null }
    }),
  )
  const strategies = [state, ...environments.map((one) => one.state)].flatMap((one) => one?.strategies ?? [])
  const mentioned = [...new Set(strategies.flatMap(segmentsIn))]
  const segmentNames = await namesOfSegments(services, { project, environment }, mentioned)
  const targets = found === undefined ? {} : targetsOfFlag(name, found)
  return { name, state, segmentNames, targets, environments }
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
  }: InPlace & { readonly id: number | undefined },
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
