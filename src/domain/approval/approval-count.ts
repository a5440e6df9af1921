/** The number of approvals that a setting or rule can require (contract 3.2). */
const min = 1
const max = 10

export const approvalCountText = `a whole number from ${min} to ${max}`

export function isApprovalCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}

/** The nearest valid number. */
export function toApprovalCount(value: number): number {
  return Math.min(Math.max(value, min), max)
}
