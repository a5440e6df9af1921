/** What the suites use of an assertion. */
export interface Expectation {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
}

/** The test runner, as Jest and Vitest have it; with node:test, bring an `expect` that has these two assertions. */
export interface Runner {
  readonly describe: (title: string, body: () => void) => unknown
  readonly it: (title: string, body: () => Promise<void>) => unknown
  readonly expect: (actual: unknown) => Expectation
}
