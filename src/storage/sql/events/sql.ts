/** A value of a statement. */
export type Bound = string | number | readonly string[] | readonly number[]

/** A piece of SQL with a `?` for each of its values. */
export interface Sql {
  readonly text: string
  readonly values: readonly Bound[]
}

/** Joins pieces of SQL; a text stands for itself. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (string | Sql)[]): Sql {
  const values: Bound[] = []
  const texts = strings.map((text, at) => {
    const part = parts[at] ?? ''
    if (typeof part === 'string') return text + part
    values.push(...part.values)
    return text + part.text
  })
  return { text: texts.join(''), values }
}

/** The same for a list of pieces. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) }
}
