/** The assertions that the suites use. */
export interface Expectation {
  /** Throws unless both are the same value by `Object.is`. */
  toBe(expected: unknown): void
  /** Throws unless both are deeply equal. */
  toEqual(expected: unknown): void
}

/** The test runner, as provided by Jest and Vitest. For node:test there is {@link nodeTestRunner}. */
export interface Runner {
  /** Groups tests. */
  readonly describe: (title: string, body: () => void) => unknown
  /** Runs one test, for at most `timeoutMs`. */
  readonly it: (title: string, body: () => Promise<void>, timeoutMs?: number) => unknown
  /** Creates an assertion for a value. */
  readonly expect: (actual: unknown) => Expectation
}
