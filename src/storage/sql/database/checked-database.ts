import type { StorageHealth, StorageProblem } from '../../../ports/storage/storage'
import type { Database, UncheckedDatabase } from './database'
import { isCompatible, rejectUnsupported, type Schema, SchemaError } from './schema'

/** Methods that use no table or do their own check. */
const unchecked = new Set(['migrate', 'health', 'readSchema', 'failureOf', 'isRejection', 'listen'])

type Method = (...args: unknown[]) => Promise<unknown>

/**
 * Checks before the first call, and in `migrate()` and `health()`, that the tables are compatible with this release. Until a
 * check succeeds, each call checks again: the database may be down, or another process may migrate it later.
 */
export function checkedDatabase<Transaction>(
  database: UncheckedDatabase<Transaction>,
  codeVersion: number,
  metaTable: string,
  report: (problem: StorageProblem) => void,
): Database<Transaction> {
  let compatible = false
  let checking: Promise<void> | undefined
  let hasWarned = false

  function recordSchema(schema: Schema): void {
    compatible = isCompatible(schema, codeVersion)
    if (schema.unusable !== undefined && !hasWarned) {
      hasWarned = true
      report({ level: 'error', message: schema.unusable })
    }
    if (!compatible || schema.version <= codeVersion || hasWarned) return
    hasWarned = true
    report({
      level: 'warn',
      message:
        'The tables have a newer schema version than this release. They are compatible. Upgrade this process too.',
      details: { schemaVersion: schema.version, compatibleFrom: schema.compatibleFrom, codeVersion },
    })
  }

  async function check(transaction?: Transaction): Promise<void> {
    const schema = await database.readSchema(transaction)
    recordSchema(schema)
    if (compatible) return
    rejectUnsupported(schema, codeVersion, metaTable)
    throw new SchemaError(
      'unmigrated',
      `${metaTable} has schema version ${schema.version}; this release needs ${codeVersion}. Call migrate().`,
      schema,
      codeVersion,
    )
  }

  function checkOnce(): Promise<void> {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  function checked<Members extends object>(members: Members): Members {
    const methods = Object.entries(members)
      .filter(([name, member]) => typeof member === 'function' && !unchecked.has(name))
      .map(([name, member]): [string, Method] => [
        name,
        async (...args) => {
          if (!compatible) await checkOnce()
          return (member as Method)(...args)
        },
      ])
    return { ...members, ...Object.fromEntries(methods) }
  }

  return {
    ...checked(database),
    consumers: checked(database.consumers),
    inspect: checked(database.inspect),
    // The check uses the connection of the transaction: the pool may have only that one.
    write: async (entries, transaction) => {
      if (!compatible) await (transaction === undefined ? checkOnce() : check(transaction))
      return database.write(entries, transaction)
    },
    migrate: async () => {
      // If the migration fails, the next call checks the tables and reports why.
      compatible = false
      recordSchema(await database.migrate())
    },
    health: async (): Promise<StorageHealth> => {
      const { schema, ...health } = await database.health()
      if (health.reachable) recordSchema(schema)
      const isUsable = health.reachable && isCompatible(schema, codeVersion)
      return { ...health, schemaVersion: schema.version, compatible: isUsable }
    },
  }
}
