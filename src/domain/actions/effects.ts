/** A flag as the changes up to here leave it, as far as default changes depend on it (contract 5.5). */
export interface FlagOutcome {
  enabled: boolean
  archived: boolean
  /** The last switch activates the strategies that are disabled. */
  activates: boolean
  /** For each strategy, whether it is active; strategies that the changes add are known by the id of their change. */
  readonly active: Map<string | number, boolean>
}

interface Switch {
  readonly enabled: boolean
  readonly shouldActivateDisabledStrategies?: boolean
}

export function switchFlag(flag: FlagOutcome, { enabled, shouldActivateDisabledStrategies }: Switch): void {
  flag.enabled = enabled
  flag.activates = shouldActivateDisabledStrategies === true
}

export function archiveFlag(flag: FlagOutcome): void {
  flag.archived = true
}

interface StrategyChange {
  readonly id: string
  readonly disabled?: boolean | null
}

export function addStrategy(
  { active }: FlagOutcome,
  { disabled }: Pick<StrategyChange, 'disabled'>,
  changeId: number,
): void {
  active.set(changeId, disabled !== true)
}

export function updateStrategy({ active }: FlagOutcome, { id, disabled }: StrategyChange): void {
  if (active.has(id) && typeof disabled === 'boolean') active.set(id, !disabled)
}

export function deleteStrategy({ active }: FlagOutcome, { id }: Pick<StrategyChange, 'id'>): void {
  active.delete(id)
}
