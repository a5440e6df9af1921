/// <reference types="node" />

import { randomInt } from 'node:crypto'

/**
 * How many seeds, sequences or kills a random test has: `RUNS`, or the number for `npm test`.
 *
 * @param gate Small enough for `npm test`, which runs on every change.
 */
export function runs(gate: number): number {
  return Number(process.env.RUNS ?? gate)
}

/** The seed of all random tests of a run. `jest.config.js` sets it, and the summary of the run prints it. */
export const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

/** Options of `fc.assert`. */
export function random(gate: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: runs(gate), seed }
}
