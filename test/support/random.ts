/// <reference types="node" />

import { randomInt } from 'node:crypto'

/**
 * How many seeds, sequences or kills a random test has: `RUNS`, or as many as the gate has time for.
 *
 * @param gate Small enough for the gate, which runs every test on every change.
 */
export function runs(gate: number): number {
  return Number(process.env.RUNS ?? gate)
}

/** Where all random tests of a run begin. `jest.config.js` chooses it, and the summary of the run prints it. */
export const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

/** Both, for `fc.assert`. */
export function random(gate: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: runs(gate), seed }
}
