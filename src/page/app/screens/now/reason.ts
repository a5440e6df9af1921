/** Bounds of the reason of an emergency, in characters (contract 15). */
export const [minReason, maxReason] = [10, 1_000]

/** Of a reason as it is stored. */
export const lengthOf = (reason: string): number => [...reason.trim()].length

export const isReason = (reason: string): boolean => lengthOf(reason) >= minReason && lengthOf(reason) <= maxReason
