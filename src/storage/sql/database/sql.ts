export type Bound = string | number | readonly string[] | readonly number[]

/** A piece of SQL with a `?` for each of its values. */
export interface Sql<Value = Bound> {
  readonly text: string
  readonly values: readonly Value[]
}

/** Joins pieces of SQL; a text stands for itself. */
export function sql<Value = Bound>(
  strings: TemplateStringsArray,
  ...parts: readonly (string | Sql<Value>)[]
): Sql<Value> {
  const values: Value[] = []
  const texts = strings.map((text, at) => {
    const part = parts[at] ?? ''
    if (typeof part === 'string') return text + part
    values.push(...part.values)
    return text + part.text
  })
  return { text: texts.join(''), values }
}

/** The same for a list of pieces. */
export function joined<Value = Bound>(parts: readonly Sql<Value>[], separator: string): Sql<Value> {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) }
}
