import { grantsAllow } from '../auth/grants'
import { maxDurationMs } from '../check-options'
import { approvalCountText, isApprovalCount } from '../domain/approval/approval-count'
import type { ApprovalRule } from '../domain/approval/approval-rule'
import { problemInRules } from '../domain/approval/check-rules'
import { problemInFreezes } from '../domain/freezes/check-freezes'
import type { Freeze } from '../domain/freezes/freeze'
import { owner } from './check'
import { problemInDirectory, problemInGateway, problemInPort, problemInStorage } from './check-ports'
import { consoleLogger } from './console-logger'
import type { ResolvedOptions } from './router-options'

/** The default of an option that must be set. */
export const required = Symbol('required')

/** Approvals must count long enough to apply what they approve. */
const minExpiryMs = 60_000

/** The default and the accepted values of an option. */
export interface OptionRow<Value> {
  readonly default: Value | typeof required
  /**
   * Returns what the option must be, such as `a boolean`; undefined if the value is valid.
   *
   * @throws TypeError that names a part of the option.
   */
  check(value: Value, options: ResolvedOptions): string | undefined
}

type Scalars = Omit<ResolvedOptions, 'limits'>

/** All options of `createChangeRequestRouter` except `limits`, which have their own table. */
export const optionTable: { readonly [name in keyof Scalars]: OptionRow<Scalars[name]> } = {
  storage: { default: required, check: problemInStorage },
  authenticate: { default: required, check: hook('a function that returns the caller, such as apiKeys([...])') },
  authorize: { default: grantsAllow, check: hook('a function') },
  directory: { default: {}, check: problemInDirectory },
  users: {
    default: null,
    check: optional((users) => problemInPort(users, ['find', 'reviewers'], 'a user directory with find and reviewers')),
  },
  flags: { default: null, check: optional(problemInGateway) },
  recordOnly: flag(false),
  validate: {
    default: null,
    check: optional(hook('a function that returns a list of problems, such as unleashRules()')),
  },
  playground: { default: null, check: optional(hook('a function that evaluates flags')) },
  adminSelfApproval: flag(false),
  approvalRules: {
    default: [] as readonly ApprovalRule[],
    check(rules, { flags }) {
      const problem = typeof rules === 'function' ? undefined : problemInRules(rules, { hasFlags: flags !== null })
      if (problem !== undefined) throw new TypeError(`${owner}: "approvalRules" ${problem}.`)
      return undefined
    },
  },
  freezes: {
    default: [] as readonly Freeze[],
    check(freezes) {
      const problem = typeof freezes === 'function' ? undefined : problemInFreezes(freezes)
      if (problem !== undefined) throw new TypeError(`${owner}: "freezes" ${problem}.`)
      return undefined
    },
  },
  recheckApprovers: {
    default: false,
    check: (value, { users }) =>
      typeof value !== 'boolean' ? 'a boolean' : value && users === null ? 'false without the option users' : undefined,
  },
  approvalsExpireAfterMs: {
    default: null,
    check: optional((value) =>
      Number.isSafeInteger(value) && value >= minExpiryMs && value <= maxDurationMs
        ? undefined
        : `a whole number from ${minExpiryMs} to ${maxDurationMs}`,
    ),
  },
  globalSegments: flag(false),
  emergency: flag(false),
  overwrites: oneOf('refuse', 'allow'),
  requireRevision: flag(false),
  editDetails: oneOf('author', 'anyone'),
  schedule: oneOf('off', 'here', 'elsewhere'),
  basePath: {
    default: '/api/admin',
    check: text(/^(?:\/[\w.~-]+)*$/, 'a path such as /api/admin, without a slash at its end'),
  },
  featureNames: oneOf('url', 'any'),
  changeRequestsEnabled: flag(true),
  requiredApprovals: {
    default: 1,
    check: (value) => (isApprovalCount(value) ? undefined : approvalCountText),
  },
  stateTimestamps: flag(true),
  gravatar: flag(true),
  recordIp: flag(false),
  linkBase: { default: '', check: text(/^[^\s<>()]*$/, 'an address without blanks and brackets') },
  errors: oneOf('respond', 'next'),
  logger: {
    default: consoleLogger,
    check: (logger) =>
      problemInPort(logger, ['debug', 'info', 'warn', 'error'], 'false, or a logger with debug, info, warn and error'),
  },
  clock: { default: () => new Date(), check: problemInClock },
}

function problemInClock(clock: () => unknown): string | undefined {
  const expected = 'a function that returns a Date'
  if (typeof clock !== 'function') return expected
  try {
    const time = clock()
    return time instanceof Date && !Number.isNaN(time.getTime()) ? undefined : expected
  } catch {
    return expected
  }
}

function flag(fallback: boolean): OptionRow<boolean> {
  return { default: fallback, check: (value) => (typeof value === 'boolean' ? undefined : 'a boolean') }
}

function oneOf<Value extends string>(fallback: Value, ...others: readonly Value[]): OptionRow<Value> {
  const values = [fallback, ...others].map((value) => `"${value}"`)
  const expected = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
  return { default: fallback, check: (value) => (values.includes(`"${value}"`) ? undefined : expected) }
}

function text(pattern: RegExp, expected: string) {
  return (value: string) => (typeof value === 'string' && pattern.test(value) ? undefined : expected)
}

function hook(expected: string) {
  return (value: unknown) => (typeof value === 'function' ? undefined : expected)
}

function optional<Value>(check: (value: Value, options: ResolvedOptions) => string | undefined) {
  return (value: Value | null, options: ResolvedOptions) => (value === null ? undefined : check(value, options))
}
