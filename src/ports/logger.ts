/**
 * Receives warnings and errors of the router; pino and `console` fit. Keys and bodies are never logged. `facts.err` is
 * the error, `facts.id` the id of the error in the answer.
 *
 * @example
 * ```ts
 * const logger: Logger = {
 *   debug() {},
 *   info() {},
 *   warn: (facts, message) => console.warn(message, facts),
 *   error: (facts, message) => console.error(message, facts),
 * }
 * ```
 */
export interface Logger {
  /** Details for debugging. */
  readonly debug: (facts: object, message: string) => void
  /** Normal events. */
  readonly info: (facts: object, message: string) => void
  /** Problems to look at, none of them urgent. */
  readonly warn: (facts: object, message: string) => void
  /** Failures: a request that was answered with 500 or 503, or an interrupted one. */
  readonly error: (facts: object, message: string) => void
}
