import { isIP } from 'node:net'
import { isPercentage } from '../domain/content/percentage'
import type { ErrorDetail } from '../errors'
import { quote } from './existing'

export function isNumber(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()) && Number.isFinite(Number(text))
}

const isoDate = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i

export function isDate(text: string): boolean {
  const [, year, month, day] = isoDate.exec(text) ?? []
  if (year === undefined || Number.isNaN(Date.parse(text))) return false
  const lastOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number(day) >= 1 && Number(day) <= lastOfMonth
}

// The pattern of semver.org: three numbers without leading zeros, then pre-release and build.
const semver =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-z-][0-9a-z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z-][0-9a-z-]*))*)?(?:\+[0-9a-z-]+(?:\.[0-9a-z-]+)*)?$/i

export function isSemver(text: string): boolean {
  return text.length <= 256 && semver.test(text)
}

/** An IPv4 or IPv6 address, alone or with the length of a prefix. */
export function isAddressRange(text: string): boolean {
  const [address = '', length, ...others] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || others.length > 0) return false
  return length === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(length) && Number(length) <= (version === 4 ? 32 : 128))
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

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
    const message = `${name} must be the text of a whole number from 0 to 100, such as "25", got ${typeof value === 'string' ? quote(value) : JSON.stringify(value).slice(0, 90)}`
    return [{ message, path: `${path}/${name}` }]
  })
