import type { Names } from '../shared/database'

/**
 * The statements of a migration. Each ends with a semicolon, and an empty line separates them; `{{events}}` becomes the
 * name of a table or sequence, `{{index events_type}}` the name of an index or constraint. Released migrations depend on
 * this: it never changes.
 */
export function renderStatements(text: string, { table, index }: Names): string[] {
  return text
    .trim()
    .split('\n\n')
    .map((statement) =>
      statement
        .replace(/;$/, '')
        .replace(/\{\{(index )?([a-z_%]+)\}\}/g, (_, kind: string | undefined, name: string) =>
          kind === undefined ? table(name) : index(name),
        ),
    )
}
