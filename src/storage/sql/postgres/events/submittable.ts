import type { PostgresConnection } from '../handle'

/**
 * A query class of our own, like those of pg-cursor: the driver calls its methods with the messages of the server. The driver's
 * own class keeps each row and emits an event for it, which takes half of the CPU time of a page.
 */
export abstract class Submittable<Connection> {
  /** Read by the driver, which replaces `callback` with one that also stops its timer. */
  readonly query_timeout: number
  callback: (error?: unknown) => void = () => undefined

  constructor(timeoutMs: number) {
    this.query_timeout = timeoutMs
  }

  /** Runs the query. Resolves when all its rows have arrived. */
  run(connection: PostgresConnection): Promise<void> {
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve())
      void connection.query(this)
    })
  }

  abstract submit(connection: Connection): void

  handleError(error: unknown): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback()
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
