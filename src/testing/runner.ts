/**
 * What the suites use of an assertion.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 *
 * const expectation = (actual: unknown): Expectation => ({
 *   toBe: (expected) => assert.equal(actual, expected),
 *   toEqual: (expected) => assert.deepEqual(actual, expected),
 * })
 * ```
 */
export interface Expectation {
  /** Throws unless both are the same value by `Object.is`. */
  toBe(expected: unknown): void
  /** Throws unless both are deeply equal. */
  toEqual(expected: unknown): void
}

/**
 * The test runner, as Jest and Vitest have it; with node:test, bring an `expect` that has two assertions.
 *
 * @example
 * ```ts
 * const runner: Runner = { describe, it, expect }
 * ```
 */
export interface Runner {
  /** Holds tests together. */
  readonly describe: (title: string, body: () => void) => unknown
  /** Runs one test. */
  readonly it: (title: string, body: () => Promise<void>) => unknown
  /** Asserts. */
  readonly expect: (actual: unknown) => Expectation
}
