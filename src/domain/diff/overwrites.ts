import { definitionOf, segmentId, targetPart } from '../actions/table'
import type { Change, ChangeRequest, OverwrittenField, Scheduling } from '../change-request'
import { fieldPhrase, propertyOf } from '../content/phrases'
import type { FlagState } from '../flag-state'
import { isSame } from './canonical'
import { type ComparedField, compareFields, differingFields } from './fields'
import { partAfter } from './state-after'
import { isList, valueTexts } from './value-texts'

/** The fields that an apply would overwrite, by the id of the change (contract 16); only of changes that overwrite. */
export type Overwrites = ReadonlyMap<number, readonly ComparedField[]>

export function findOverwrites({ changes }: Pick<ChangeRequest, 'changes'>, state: FlagState | undefined): Overwrites {
  if (state === undefined) return new Map()
  const found = changes.map((change) => [change.id, overwrittenBy(change, state)] as const)
  return new Map(found.filter(([, fields]) => fields.length > 0))
}

/** Only those of changes whose target is not as their predecessor left it. */
export function withoutFollowed(
  overwrites: Overwrites,
  targets: Scheduling['targets'],
  followed: Scheduling['targets'],
): Overwrites {
  return new Map([...overwrites].filter(([id]) => followed[id] === undefined || followed[id] !== targets[id]))
}

/**
 * The fields that another user edited since the change was proposed, and that it would edit again or delete
 * (contract 16). A deleted target is a conflict, and an addition overwrites nothing.
 */
export function overwrittenBy(change: Change, state: FlagState): readonly ComparedField[] {
  const { base } = change
  if (base === undefined || definitionOf(change).added !== undefined) return []
  const current = targetPart(change, state)
  if (current == null || isSame(base, current)) return []
  const after = partAfter(change, state)
  if (after === undefined) return []
  return compareFields(base ?? {}, current, after ?? {}).filter(({ isEdited, isAltered }) => isEdited && isAltered)
}

const maxFields = 100
export const maxPathLength = 1_000

/** The overwritten fields of each flag and segment, each once. */
export function overwrittenFields(
  { changes }: Pick<ChangeRequest, 'changes'>,
  overwrites: Overwrites,
): readonly OverwrittenField[] {
  const found = new Map<string, OverwrittenField>()
  for (const change of changes) {
    const subject = change.feature === null ? { segment: segmentId(change) } : { feature: change.feature }
    for (const { path } of (overwrites.get(change.id) ?? []).flatMap(differingFields)) {
      if (found.size === maxFields) return [...found.values()]
      const field = { ...subject, path: path.slice(0, maxPathLength) }
      found.set(JSON.stringify(field), field)
    }
  }
  return [...found.values()]
}

export function listOverwrites({ changes }: Pick<ChangeRequest, 'changes'>, overwrites: Overwrites): string[] {
  return changes.flatMap((change) => overwriteSentences(change, overwrites.get(change.id) ?? []))
}

export function overwriteSentences(change: Change, fields: readonly ComparedField[]): string[] {
  return fields.flatMap(differingFields).map(({ path, base, current, proposed, meaning }) => {
    const [name, versions] = [propertyOf(path), [base, current, proposed]]
    const [was, is, becomes] = valueTexts(name, versions, meaning)
    const [did, does] = isList(name, versions) ? ['were', 'are'] : ['was', 'is']
    return `${fieldPhrase(change, path)} ${did} ${was}, ${does} ${is} now, and would become ${becomes}`
  })
}
