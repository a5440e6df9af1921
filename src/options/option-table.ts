import { grantsAllow } from '../auth/grants'
import {
  aBoolean,
  aFunction,
  checkOption,
  matching,
  maxDurationMs,
  must,
  type OptionCheck,
  oneOf,
  refuseUnknownOptions,
} from '../check-options'
import type { ApprovalRule } from '../domain/approval/approval-rule'
import { approvalCountText, isApprovalCount, problemInRules } from '../domain/approval/check-rules'
import type { Check } from '../domain/checks/check'
import { problemInChecks } from '../domain/checks/problem-in-checks'
import { problemInCustomFields } from '../domain/custom-fields/check-custom-fields'
import { problemInFreezes } from '../domain/freezes/check-freezes'
import type { Freeze } from '../domain/freezes/freeze'
import { type LinkTemplates, linkPlaceholders } from '../domain/links'
import {
  owner,
  problemInDirectory,
  problemInGateway,
  problemInPort,
  problemInStorage,
  problemInTelemetry,
} from './check-ports'
import { consoleLogger } from './console-logger'
import type { ResolvedOptions } from './router-options'

/** The default of an option that must be set. */
export const required = Symbol('required')

/** Approvals must count long enough to apply what they approve. */
const minExpiryMs = 60_000

/** The default of an option, and its check. */
export interface OptionRow<Value> {
  readonly default: Value | typeof required
  readonly check: OptionCheck<Value, ResolvedOptions>
}

type Scalars = Omit<ResolvedOptions, 'limits'>

/** All options of `createChangeRequestRouter` except `limits`, which have their own table. */
export const optionTable: { readonly [name in keyof Scalars]: OptionRow<Scalars[name]> } = {
  storage: { default: required, check: problemInStorage },
  authenticate: { default: required, check: aFunction('a function that returns the caller, such as apiKeys([...])') },
  authorize: { default: grantsAllow, check: aFunction() },
  directory: { default: {}, check: problemInDirectory },
  users: {
    default: null,
    check: nullable((users) => problemInPort(users, ['find', 'reviewers'], 'a user directory with find and reviewers')),
  },
  flags: { default: null, check: nullable(problemInGateway) },
  recordOnly: flag(false),
  validate: {
    default: null,
    check: nullable(aFunction('a function that returns a list of problems, such as unleashRules()')),
  },
  playground: { default: null, check: nullable(aFunction('a function that evaluates flags')) },
  adminSelfApproval: flag(false),
  approvalRules: {
    default: [] as readonly ApprovalRule[],
    check: (rules, { flags }) =>
      refuse('approvalRules', typeof rules !== 'function' && problemInRules(rules, { hasFlags: flags !== null })),
  },
  checks: {
    default: [] as readonly Check[],
    check: (checks, { flags }) =>
      refuse('checks', typeof checks !== 'function' && problemInChecks(checks, { hasFlags: flags !== null })),
  },
  freezes: {
    default: [] as readonly Freeze[],
    check: (freezes) => refuse('freezes', typeof freezes !== 'function' && problemInFreezes(freezes)),
  },
  customFields: {
    default: null,
    check: nullable((fields) => refuse('customFields', problemInCustomFields(fields))),
  },
  recheckApprovers: {
    default: false,
    check: (value, { users }) =>
      typeof value !== 'boolean' ? 'a boolean' : value && users === null ? 'false without the option users' : undefined,
  },
  approvalsExpireAfterMs: {
    default: null,
    check: nullable(
      must(
        (value) => Number.isSafeInteger(value) && Number(value) >= minExpiryMs && Number(value) <= maxDurationMs,
        `a whole number from ${minExpiryMs} to ${maxDurationMs}`,
      ),
    ),
  },
  globalSegments: flag(false),
  emergency: flag(false),
  objections: flag(false),
  overwrites: choice('refuse', 'allow'),
  requireRevision: flag(false),
  applyTrace: flag(true),
  logComments: flag(false),
  editDetails: choice('author', 'anyone'),
  schedule: choice('off', 'here', 'elsewhere'),
  basePath: {
    default: '/api/admin',
    check: matching(/^(?:\/[\w.~-]+)*$/, 'a path such as /api/admin, without a slash at its end'),
  },
  featureNames: choice('url', 'any'),
  changeRequestsEnabled: {
    default: true,
    check: must(
      (value) => typeof value === 'boolean' || isFunction(value),
      'a boolean, or a function that returns one',
    ),
  },
  requiredApprovals: {
    default: 1,
    check: must(
      (value) => isApprovalCount(value) || isFunction(value),
      `${approvalCountText}, or a function that returns one`,
    ),
  },
  stateTimestamps: flag(true),
  gravatar: flag(true),
  recordIp: flag(false),
  pageUrl: {
    default: '',
    check: matching(
      /^(?:(?:https?:\/)?\/[^\s<>()?#]*[^\s<>()?#/])?$/,
      'an http or https address, or a path, without blanks, brackets, a query and a slash at its end',
    ),
  },
  links: { default: {}, check: problemInLinks },
  errors: choice('respond', 'next'),
  logger: {
    default: consoleLogger,
    check: (logger) =>
      problemInPort(logger, ['debug', 'info', 'warn', 'error'], 'false, or a logger with debug, info, warn and error'),
  },
  telemetry: { default: false, check: problemInTelemetry },
  clock: { default: () => new Date(), check: problemInClock },
}

/** The problem names a part of the option, so it is the whole message. */
function refuse(name: string, problem: string | false | undefined): undefined {
  if (problem) throw new TypeError(`${owner}: "${name}" ${problem}.`)
}

/** @throws TypeError that names the template, and an unknown placeholder */
function problemInLinks(links: LinkTemplates): undefined {
  refuseUnknownOptions(`${owner}.links`, links, Object.keys(linkPlaceholders))
  for (const [name, template] of Object.entries(links)) {
    const known = linkPlaceholders[name as keyof LinkTemplates].map((one) => `{${one}}`)
    const isAddress = typeof template === 'string' && /^(?:https?:\/)?\/[^\s<>()]+$/.test(template)
    const unknown = isAddress && (template.match(/\{\w*\}?|\}/g) ?? []).find((one) => !known.includes(one))
    const expected = `an http or https address, or a path, without blanks and brackets; its placeholders are ${known.join(' and ')}`
    checkOption(owner, `links.${name}`, isAddress, expected)
    checkOption(owner, `links.${name}`, !unknown, `without "${unknown}"; its placeholders are ${known.join(' and ')}`)
  }
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

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

/** Null stands for an option that is left out. */
function nullable<Value>(check: OptionCheck<Value, ResolvedOptions>): OptionCheck<Value | null, ResolvedOptions> {
  return (value, options) => (value === null ? undefined : check(value, options))
}

function flag(fallback: boolean): OptionRow<boolean> {
  return { default: fallback, check: aBoolean }
}

/** The first value is the default. */
function choice<Value extends string>(...values: readonly [Value, ...Value[]]): OptionRow<Value> {
  return { default: values[0], check: oneOf(...values) }
}
