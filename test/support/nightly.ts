/**
 * Whether `npm run nightly` runs the tests: then they are as large as they can be, and cover every combination. The gate
 * takes what shows the same fault in less time.
 */
export const isNightly = process.env.NIGHTLY === 'true'
