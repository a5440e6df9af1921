import { targetPart } from '../../domain/actions/table'
import type { JsonValue } from '../../domain/change-request'
import type { FlagState } from '../../domain/flag-state'
import type { Action } from '../../generated/index'
import { hashOf } from '../../kernel/digest'

/** Digests of what changes can alter, by the id of the strategy or the name of the part (contract 16.1). */
export type Targets = Readonly<Record<string, string>>

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

export function targetsOfSegment(id: number, state: FlagState): Targets {
  return digestsOf(null, state, [['segment', 'deleteSegment', { id }]])
}

/** Each is the digest of exactly the part that such a change has as its base. */
function digestsOf(feature: string | null, state: FlagState, parts: readonly Named[]): Targets {
  const digests = parts.flatMap(([name, action, payload]) => {
    const part = targetPart({ action, feature, payload }, state)
    return part === undefined ? [] : [[name, hashOf(part)] as const]
  })
  return Object.fromEntries(digests)
}
