import type { Knex } from 'knex'

/** Settings of hosts that use camelCase in code and snake_case in the database: they rename the columns of all results. */
export const caseMappers: Partial<Knex.Config> = {
  wrapIdentifier: (name, wrap) => wrap(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  postProcessResponse: (result) => (Array.isArray(result) ? result.map(camelCased) : camelCased(result)),
}

function camelCased(value: unknown): unknown {
  // Compares the name: under Jest, rows of the driver have the prototype of another realm.
  if (typeof value !== 'object' || value === null || value.constructor?.name !== 'Object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      field,
    ]),
  )
}
