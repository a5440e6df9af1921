import { grantsAllow } from '../auth/grants'
import { refuseUnknownOptions } from '../check-options'
import type { ApprovalRule } from '../domain/approval/approval-rule'
import type { Actor } from '../ports/access'
import type { Logger } from '../ports/logger'
import { check, owner } from './check'
import { checkPorts } from './check-ports'
import { checkRules } from './check-rules'
import { checkValues } from './check-values'
import { defaultLimits } from './limits'
import type { ChangeRequestRouterOptions, ResolvedOptions } from './router-options'

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

const defaults = {
  authorize: grantsAllow,
  directory: {},
  users: null,
  flags: null,
  recordOnly: false,
  validate: null,
  playground: null,
  adminSelfApproval: false,
  approvalRules: [] as readonly ApprovalRule[],
  recheckApprovers: false,
  globalSegments: false,
  emergency: false,
  overwrites: 'refuse',
  requireRevision: false,
  editDetails: 'author',
  schedule: 'off',
  basePath: '/api/admin',
  changeRequestsEnabled: true,
  requiredApprovals: 1,
  stateTimestamps: true,
  gravatar: true,
  recordIp: false,
  linkBase: '',
  errors: 'respond',
  logger: silent,
  clock: () => new Date(),
} as const

/**
 * Checks the options and fills in the defaults. The host's type of actor is dropped here: `authorize` only ever receives
 * what `authenticate` returned.
 *
 * @throws TypeError that names the option when one is missing, unknown or out of its range.
 */
export function resolveOptions<HostActor extends Actor, Transaction>(
  options: ChangeRequestRouterOptions<HostActor, Transaction>,
): ResolvedOptions {
  refuseUnknownOptions(owner, options, ['storage', 'authenticate', 'limits', ...Object.keys(defaults)])
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const limits = { ...defaultLimits, ...options.limits }
  const resolved = { ...defaults, ...given, limits } as ResolvedOptions
  refuseUnknownOptions(`${owner}.limits`, limits, Object.keys(defaultLimits))
  for (const [name, value] of Object.entries(limits)) {
    check(`limits.${name}`, Number.isSafeInteger(value) && value > 0, 'a positive whole number')
  }
  checkPorts(resolved)
  checkValues(resolved)
  checkRules(resolved)
  return resolved
}
