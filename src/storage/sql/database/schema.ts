import type { StorageFailure } from '../../../ports/storage/storage'

/** The database is a standby. The code is that of a write in a read-only transaction. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError'
  readonly code = '25006'

  constructor() {
    super('The database is a standby, which accepts no writes. Connect to its primary, or wait until it is promoted.')
  }
}

export interface Schema {
  /** The number of the last migration; 0 before the first. */
  readonly version: number
  /** The lowest schema version of a release that works on these tables. */
  readonly compatibleFrom: number
  /** Our tables exist, but no version is recorded. */
  readonly unversioned: boolean
  /** Why no release works on this database, as a sentence. Absent for most. */
  readonly unusable?: string
}

export const noSchema: Schema = { version: 0, compatibleFrom: 0, unversioned: false }

export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  readonly failure: StorageFailure
  readonly schemaVersion: number
  readonly compatibleFrom: number
  readonly codeVersion: number

  constructor(failure: StorageFailure, message: string, schema: Schema, codeVersion: number) {
    super(message)
    this.failure = failure
    this.schemaVersion = schema.version
    this.compatibleFrom = schema.compatibleFrom
    this.codeVersion = codeVersion
  }
}

/** @param rows the rows of `schemaQuery`; without `compatible_from`, older code might fail. */
export function toSchema(rows: readonly { name: string; value: unknown }[], hasTables: boolean): Schema {
  const values = new Map(rows.map(({ name, value }) => [name, Number(value)]))
  const version = values.get('schema_version')
  if (version === undefined) return { ...noSchema, unversioned: hasTables }
  return { version, compatibleFrom: values.get('compatible_from') ?? version, unversioned: false }
}

/** Throws if this release cannot migrate the tables to a compatible version. */
export function rejectUnsupported(schema: Schema, codeVersion: number, metaTable: string): void {
  const { version, compatibleFrom, unversioned } = schema
  const reject = (message: string) => {
    throw new SchemaError('unsupported-schema', message, schema, codeVersion)
  }
  if (schema.unusable !== undefined) reject(schema.unusable)
  if (unversioned) {
    reject(
      `Tables of this package exist, but ${metaTable} has no row "schema_version" (schema version ${version}, ` +
        `compatible from ${compatibleFrom}, this release has ${codeVersion}). Restore the table from a backup, ` +
        'or use another table prefix.',
    )
  }
  if (compatibleFrom > codeVersion) {
    reject(
      `${metaTable} has schema version ${version}, which works with releases from schema version ` +
        `${compatibleFrom}; this release has ${codeVersion}. Install a newer release.`,
    )
  }
}

export function isCompatible(schema: Schema, codeVersion: number): boolean {
  return (
    schema.unusable === undefined &&
    !schema.unversioned &&
    schema.compatibleFrom <= codeVersion &&
    codeVersion <= schema.version
  )
}
