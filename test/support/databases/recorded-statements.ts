/** A statement as it was sent to Postgres. */
export interface RecordedStatement {
  readonly text: string
  /** The name under which it is prepared; empty if it is not. */
  readonly name: string
  readonly values: readonly unknown[]
}

/** The part of the protocol layer of pg that every statement passes. */
interface Protocol {
  query(text: string): void
  parse(message: { readonly text: string; readonly name?: string }, more?: unknown): void
  bind(message: { readonly values?: readonly unknown[]; readonly statement?: string }, more?: unknown): void
}

/** Records the statements of the connections of a pool, in their order: `afterCreate` is an option of the pool. */
export function recordStatements() {
  const statements: RecordedStatement[] = []
  const afterCreate = ({ connection }: { readonly connection: Protocol }, done: (error: null) => void) => {
    const texts = new Map<string, string>()
    const { query, parse, bind } = connection
    connection.query = function (text) {
      statements.push({ text, name: '', values: [] })
      query.call(this, text)
    }
    connection.parse = function (message, ...more) {
      texts.set(message.name ?? '', message.text)
      parse.call(this, message, ...more)
    }
    connection.bind = function (message, ...more) {
      const name = message.statement ?? ''
      statements.push({ text: texts.get(name) ?? '', name, values: message.values ?? [] })
      bind.call(this, message, ...more)
    }
    done(null)
  }
  return { statements, afterCreate }
}
