import { type Preparing, prepared } from './prepared'

/** The part of a better-sqlite3 connection that is used here. */
export interface Configurable extends Preparing {
  exec(text: string): void
}

/** Settings of a connection. */
export interface Pragmas {
  readonly busy_timeout?: number
  /** 1 for `normal`, 2 for `full`. It cannot be changed inside a transaction. */
  readonly synchronous?: 1 | 2
}

const reads = { busy_timeout: 'pragma busy_timeout', synchronous: 'pragma synchronous' } as const

/**
 * Changes settings of a connection of the host app; returns a function that restores them. SQLite reads and changes settings
 * when it compiles a statement. A prepared one that reads a setting is compiled again before each run, but not the first; one
 * that changes a setting is never prepared.
 */
export function setPragmas(connection: Configurable, wanted: Pragmas): () => void {
  const set: string[] = []
  const restore: string[] = []
  for (const [name, value] of Object.entries(wanted)) {
    const [before] = Object.values(prepared(connection, reads[name as keyof Pragmas]).get())
    if (before === value) continue
    set.push(`pragma ${name} = ${value}`)
    restore.push(`pragma ${name} = ${before}`)
  }
  if (set.length === 0) return () => undefined
  connection.exec(set.join(';'))
  return () => connection.exec(restore.join(';'))
}
