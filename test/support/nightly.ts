/**
 * Whether `npm run nightly` runs the tests: then they run at full size and cover every combination. `npm test` runs
 * smaller ones that detect the same faults.
 */
export const isNightly = process.env.NIGHTLY === 'true'

/** `describe` for tests that only `npm run nightly` runs. */
export const nightly = isNightly ? describe : describe.skip
