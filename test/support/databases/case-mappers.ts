import type { Knex } from 'knex'

/** What hosts set that write camelCase in code and snake_case in the database: it renames whatever Knex answers. */
export const caseMappers: Partial<Knex.Config> = {
  wrapIdentifier: (name, wrap) => wrap(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  postProcessResponse: (result) => (Array.isArray(result) ? result.map(camelCased) : camelCased(result)),
}

function camelCased(value: unknown): unknown {
  // By name: rows that the driver made have the prototype of another realm under Jest.
  if (typeof value !== 'object' || value === null || value.constructor?.name !== 'Object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      field,
    ]),
  )
}
