/**
 * The assertions that the suites use.
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
 * The test runner, as provided by Jest and Vitest. For node:test there is {@link nodeTestRunner}.
 *
 * @example
 * ```ts
 * const runner: Runner = { describe, it, expect }
 * ```
 */
export interface Runner {
  /** Groups tests. */
  readonly describe: (title: string, body: () => void) => unknown
  /** Runs one test, for at most `timeoutMs`. */
  readonly it: (title: string, body: () => Promise<void>, timeoutMs?: number) => unknown
  /** Creates an assertion for a value. */
  readonly expect: (actual: unknown) => Expectation
}
