import type { Knex } from 'knex'
import type { StrategyState } from '../../../domain/flag-state'
import { rolloutId } from './rollout-change'

/**
 * The columns of your table, as your Knex names them. `plainFlags` uses no others.
 *
 * @example
 * ```ts
 * const columns: PlainFlagsColumns = { name: 'key', enabled: 'is_on', rollout: 'percent', archived: 'is_archived' }
 * ```
 */
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

/** A row of the table. */
export interface Flag {
  readonly name: string
  readonly enabled: boolean
  readonly archived: boolean
  /** As a text without trailing zeros; null if it is not set, or if there is no column. */
  readonly rollout: string | null
  /** The columns that hold numbers instead of booleans. */
  readonly numeric: ReadonlySet<string>
}

type Row = Readonly<Record<string, unknown>>

/** Reads and writes the table of the host app. */
export function flagTable({ table, columns }: { readonly table: string; readonly columns: PlainFlagsColumns }) {
  /** Under aliases that no case mapper of the host app alters. */
  const selected = Object.fromEntries(Object.entries(columns).filter(([, column]) => column !== undefined))

  function readBoolean(row: Row, name: 'enabled' | 'archived'): boolean {
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

  function toFlag(row: Row): Flag {
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
    /** The flags by name. With `lock` their rows are locked, in the order of their names. */
    async read(query: Knex, names: readonly string[], lock = false): Promise<Map<string, Flag>> {
      if (names.length === 0) return new Map()
      const select = query(table).select(selected).whereIn(columns.name, names).orderBy(columns.name)
      const rows: Row[] = await (lock ? select.forUpdate() : select)
      const flags = new Map(rows.map((row) => [String(row.name), toFlag(row)]))
      if (flags.size === rows.length) return flags
      throw new TypeError(`plainFlags: the column "${columns.name}" of the table "${table}" must be unique.`)
    },

    /** Writes some columns of a flag. */
    async write(transaction: Knex.Transaction, { name, numeric }: Flag, after: Partial<Flag>): Promise<void> {
      const values = Object.entries(after).map(([property, value]) => [
        columns[property as keyof typeof columns],
        numeric.has(property) ? Number(value) : value,
      ])
      await transaction(table).where(columns.name, name).update(Object.fromEntries(values))
    },
  }
}

/** Databases return 50, "50" or "50.00", depending on the type of the column. Anything else is returned as it is. */
function toPercentage(value: unknown): string {
  const text = String(value)
  return /^\d+\.0*$/.test(text) ? String(Number(text)) : text
}

/** The only strategy of a flag with a percentage. Without `parameters`, a change of it cannot be reverted. */
export function toStrategy(rollout: string | null): StrategyState {
  const strategy = { id: rolloutId, name: 'flexibleRollout', disabled: false }
  return rollout === null ? strategy : { ...strategy, parameters: { rollout } }
}
