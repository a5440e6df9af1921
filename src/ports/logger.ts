/**
 * Where the router tells of trouble, pino-shaped; `console` fits as well. Keys and bodies are never logged. Under `err`
 * the facts may hold an error, under `id` the id that the caller was answered.
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
  /** What only helps to find a fault. */
  readonly debug: (facts: object, message: string) => void
  /** What is usual. */
  readonly info: (facts: object, message: string) => void
  /** What somebody should look at some day. */
  readonly warn: (facts: object, message: string) => void
  /** What went wrong: a request that was answered with 500 or 503, or broke off. */
  readonly error: (facts: object, message: string) => void
}
