import { matching, optional } from '../../../check-options'
import type { Names } from './database'

export interface NameOptions {
  readonly tablePrefix?: string | undefined
  readonly schema?: string | undefined
}

export const defaultPrefix = 'ffcr_'

/** The names of tables and indexes. Prefix and schema become part of SQL: check them first. */
export function createNames({ tablePrefix = defaultPrefix, schema }: NameOptions): Names {
  const place = schema === undefined ? '' : `"${schema}".`
  return {
    table: (name) => `${place}"${tablePrefix}${name}"`,
    index: (name) => `"${tablePrefix}${name}"`,
  }
}

/** Short enough for the longest derived name: Postgres truncates names at 63 bytes. */
const identifier = /^[a-z_][a-z0-9_]{0,30}$/

/** The check of the options `tablePrefix` and `schema`. */
export const anIdentifier = optional(matching(identifier, `a string that matches ${identifier}`))
