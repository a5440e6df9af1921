/** The part of a better-sqlite3 connection that is used here. */
export interface Configurable {
  exec(text: string): void
  pragma(text: string, options: { simple: true }): unknown
}

/** Settings of a connection. */
export interface Pragmas {
  readonly busy_timeout?: number
  /** 1 for `normal`, 2 for `full`. It cannot be changed inside a transaction. */
  readonly synchronous?: 1 | 2
}

/**
 * Changes settings of a connection of the host app; returns a function that restores them. They take effect when the statement
 * is compiled, so it is never prepared.
 */
export function setPragmas(connection: Configurable, wanted: Pragmas): () => void {
  const set: string[] = []
  const restore: string[] = []
  for (const [name, value] of Object.entries(wanted)) {
    const before = Number(connection.pragma(name, { simple: true }))
    if (before === value) continue
    set.push(`pragma ${name} = ${value}`)
    restore.push(`pragma ${name} = ${before}`)
  }
  if (set.length === 0) return () => undefined
  connection.exec(set.join(';'))
  return () => connection.exec(restore.join(';'))
}
