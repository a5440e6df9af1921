import { checkOption } from '../../../check-options'
import type { Names } from './database'

export interface NameOptions {
  readonly tablePrefix?: string | undefined
  readonly schema?: string | undefined
}

export const defaultPrefix = 'ffcr_'

/** Checks prefix and schema, which become part of SQL, and derives the names of tables and indexes. */
export function createNames(owner: string, { tablePrefix = defaultPrefix, schema }: NameOptions): Names {
  checkOption(owner, 'tablePrefix', isIdentifier(tablePrefix), `a string that matches ${identifier}`)
  checkOption(owner, 'schema', schema === undefined || isIdentifier(schema), `a string that matches ${identifier}`)
  const place = schema === undefined ? '' : `"${schema}".`
  return {
    table: (name) => `${place}"${tablePrefix}${name}"`,
    index: (name) => `"${tablePrefix}${name}"`,
  }
}

/** Short enough for the longest derived name: Postgres truncates names at 63 bytes. */
const identifier = /^[a-z_][a-z0-9_]{0,30}$/

function isIdentifier(value: unknown): boolean {
  return typeof value === 'string' && identifier.test(value)
}
