type Log = (facts: object, message: string) => void

/** Where the router tells of trouble, pino-shaped; `console` fits as well. Keys and bodies are never logged. */
export interface Logger {
  readonly debug: Log
  readonly info: Log
  readonly warn: Log
  readonly error: Log
}
