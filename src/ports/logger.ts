/**
 * Receives warnings and errors of the router; pino and `console` work. Keys and bodies are never logged. `facts.err` is
 * the error, `facts.id` the id of the error in the response.
 */
export interface Logger {
  /** Details for debugging. */
  readonly debug: (facts: object, message: string) => void
  /** Normal events. */
  readonly info: (facts: object, message: string) => void
  /** Problems that are not urgent. */
  readonly warn: (facts: object, message: string) => void
  /** Failures: a response with status 500 or 503, or an interrupted one. */
  readonly error: (facts: object, message: string) => void
}
