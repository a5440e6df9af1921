import type { StrategyState } from '../../domain/flag-state'
import type { ErrorDetail } from '../../errors'
import type { ApplicableChange } from '../../ports/flags'
import { type AnyParameters, checkPercentages } from '../../unleash-rules/values'

/** The columns of your table, as your Knex names them; without Knex, as the database does. `plainFlags` uses no others. */
export interface PlainFlagsColumns {
  /** The name of the flag; unique. */
  readonly name: string
  /** Whether the flag is on: a boolean, or 0 and 1. NULL counts as off. */
  readonly enabled: string
  /**
   * The percentage of users, 0 to 100, as a number or a text. NULL counts as not set.
   * @defaultValue none: flags are on or off, and `updateStrategy` is rejected
   */
  readonly rollout?: string
  /**
   * Whether the flag is archived: a boolean, or 0 and 1. NULL counts as not archived.
   * @defaultValue none: flags cannot be archived
   */
  readonly archived?: string
}

export interface Flag {
  readonly name: string
  readonly enabled: boolean
  readonly archived: boolean
  /** As a text without trailing zeros; null if it is not set, or if there is no column. */
  readonly rollout: string | null
  /** The columns that hold numbers instead of booleans. */
  readonly numeric: ReadonlySet<string>
}

/** A row of the table, with the names of {@link PlainFlagsColumns}. */
type FlagRow = Readonly<Record<string, unknown>>

export interface FlagTable<Transaction> {
  /** The rows of these flags, in the order of their names; with `lock` they are locked. */
  read(names: readonly string[], transaction?: Transaction, lock?: boolean): Promise<readonly FlagRow[]>
  /** At most 100 rows whose names begin with the text, in any case, in the order of their names. */
  search(prefix: string): Promise<readonly FlagRow[]>
  write(transaction: Transaction, change: FlagWrite): Promise<void>
}

/** The same for a database without waiting. */
export interface SyncFlagTable {
  read(names: readonly string[]): readonly FlagRow[]
  /** As {@link FlagTable.search}. */
  search(prefix: string): readonly FlagRow[]
  write(change: FlagWrite): void
}

export interface FlagWrite {
  readonly name: string
  /** Values by column. */
  readonly values: readonly (readonly [column: string, value: boolean | number | string])[]
}

export function flagRows({ table, columns }: { readonly table: string; readonly columns: PlainFlagsColumns }) {
  function readBoolean(row: FlagRow, name: 'enabled' | 'archived'): boolean {
    const value = row[name] ?? false
    if (typeof value === 'boolean') return value
    if (value === 0 || value === 0n) return false
    if (value === 1 || value === 1n) return true
    // A text such as "false" must not count as true.
    throw new TypeError(
      `plainFlags: the column "${columns[name]}" of the table "${table}" must hold a boolean, or 0 and 1; the flag ` +
        `${JSON.stringify(row.name)} has a value of the type ${typeof value}.`,
    )
  }

  function toFlag(row: FlagRow): Flag {
    const isNumeric = (name: string) => ['number', 'bigint'].includes(typeof row[name])
    return {
      name: String(row.name),
      enabled: readBoolean(row, 'enabled'),
      archived: readBoolean(row, 'archived'),
      rollout: row.rollout == null ? null : toPercentage(row.rollout),
      numeric: new Set(['enabled', 'archived'].filter(isNumeric)),
    }
  }

  return {
    toFlags(rows: readonly FlagRow[]): Map<string, Flag> {
      const flags = new Map(rows.map((row) => [String(row.name), toFlag(row)]))
      if (flags.size === rows.length) return flags
      throw new TypeError(`plainFlags: the column "${columns.name}" of the table "${table}" must be unique.`)
    },

    toWrite({ name, numeric }: Flag, after: Partial<Flag>): FlagWrite {
      const values = Object.entries(after).map(([property, value]) => {
        const column = columns[property as keyof typeof columns] as string
        return [column, numeric.has(property) ? Number(value) : (value as boolean | string)] as const
      })
      return { name, values }
    },
  }
}

export function usedColumns(columns: PlainFlagsColumns): [name: string, column: string][] {
  return Object.entries(columns).filter(([, column]) => column !== undefined)
}

/** Databases return 50, "50" or "50.00", depending on the type of the column. Anything else is returned as it is. */
function toPercentage(value: unknown): string {
  const text = String(value)
  return /^\d+\.0*$/.test(text) ? String(Number(text)) : text
}

export const rolloutId = 'rollout'

/** The only strategy of a flag with a percentage. Without `parameters`, a change of it cannot be reverted. */
export function toStrategy(rollout: string | null): StrategyState {
  const strategy = { id: rolloutId, name: 'flexibleRollout', disabled: false }
  return rollout === null ? strategy : { ...strategy, parameters: { rollout } }
}

/**
 * Why a table with a percentage cannot store the change: it has one strategy, with one parameter.
 *
 * @param current the strategy before the change
 */
export function findRolloutProblems(
  change: ApplicableChange,
  path: string,
  current: { readonly [property: string]: unknown },
): readonly ErrorDetail[] {
  if (change.action !== 'updateStrategy') return []
  const { id, parameters, ...others } = change.payload
  const place = `${path}/payload`
  if (id !== rolloutId) {
    return [{ message: `id must be "${rolloutId}", the only strategy of a flag here`, path: `${place}/id` }]
  }
  const { rollout, ...otherParameters } = parameters ?? {}
  // A table can hold 33.5, which nobody can propose. It can be restored.
  const isStorable = /^\d+(?:\.\d+)?$/.test(rollout ?? '') && Number(rollout) <= 100
  const existing = (isStorable ? (current.parameters ?? {}) : {}) as AnyParameters
  const unsupported = [...Object.keys(others), ...Object.keys(otherParameters).map((name) => `parameters/${name}`)].map(
    (name) => ({
      message: `only parameters.rollout can be changed, leave out ${name.replace('/', '.')}`,
      path: `${place}/${name}`,
    }),
  )
  const missing = { message: 'parameters.rollout is required', path: `${place}/parameters/rollout` }
  return [
    ...unsupported,
    ...(rollout === undefined ? [missing] : checkPercentages({ rollout }, `${place}/parameters`, existing)),
  ]
}
