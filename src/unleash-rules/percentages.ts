import { isPercentage } from '../domain/content/percentage'
import type { ErrorDetail } from '../errors'
import { quote } from './existing'

const names = ['rollout', 'percentage'] as const

/** Parameters of a strategy. An implied change comes from the gateway, so nothing is known about their types. */
export interface AnyParameters {
  readonly [name: string]: unknown
}

/**
 * Checks `rollout` and `percentage` of a strategy: a flag server reads "50%" as 50 or as 0, so an approver could not know what
 * is approved. Other parameters are not checked.
 */
export const checkPercentages = (
  parameters: AnyParameters,
  path: string,
  current: AnyParameters,
): readonly ErrorDetail[] =>
  names.flatMap((name) => {
    const value = parameters[name]
    if (value === undefined || value === current[name] || isPercentage(value)) return []
    const message = `${name} must be the text of a whole number from 0 to 100, such as "25", got ${describe(value)}`
    return [{ message, path: `${path}/${name}` }]
  })

function describe(value: unknown): string {
  return typeof value === 'string' ? quote(value) : JSON.stringify(value).slice(0, 90)
}
