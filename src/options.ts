import { grantsAllow } from './auth/grants'
import { checkOption, refuseUnknownOptions } from './check-options'
import { allActions } from './domain/actions'
import type { Actor, Authenticate, Authorize } from './ports/access'
import type { Directory } from './ports/directory'
import type { FlagGateway } from './ports/flags'
import type { Logger } from './ports/logger'
import type { Storage } from './ports/storage'
import type { UserDirectory } from './ports/users'

/**
 * How much a caller may ask for, and how long things may take. Beyond a limit of a body: 413 PayloadTooLargeError, 400
 * BadDataError or 400 ExceedsLimitError.
 *
 * @example
 * ```ts
 * const limits: Partial<Limits> = { bodyBytes: 1024 * 1024, changesPerRequest: 500 }
 * ```
 */
export interface Limits {
  /**
   * The largest body in bytes, after decompression.
   * @defaultValue `102400`
   */
  readonly bodyBytes: number
  /**
   * The deepest nesting of a body.
   * @defaultValue `32`
   */
  readonly bodyDepth: number
  /**
   * The most values and keys in a body.
   * @defaultValue `20000`
   */
  readonly bodyNodes: number
  /**
   * The most changes in one POST.
   * @defaultValue `100`
   */
  readonly changesPerRequest: number
  /**
   * The most changes in one change request.
   * @defaultValue `500`
   */
  readonly changesPerChangeRequest: number
  /**
   * The most bytes of all changes of one change request, as JSON. Refused is only what makes them more.
   * @defaultValue `1048576`
   */
  readonly changesBytes: number
  /**
   * The most comments on one change request.
   * @defaultValue `1000`
   */
  readonly commentsPerChangeRequest: number
  /**
   * The most bytes of all comments on one change request, as JSON.
   * @defaultValue `1048576`
   */
  readonly commentsBytes: number
  /**
   * How many milliseconds a hook of the host may take before the request is answered with 503.
   * @defaultValue `5000`
   */
  readonly hookTimeoutMs: number
  /**
   * A text is looked for in so many events of a search; the answer links to where it goes on.
   * @defaultValue `10000`
   */
  readonly searchedEvents: number
  /**
   * How many milliseconds a client may take nothing of a list before its connection is broken.
   * @defaultValue `60000`
   */
  readonly streamTimeoutMs: number
  /**
   * How many milliseconds pass before the log is asked again for what other processes wrote, once for all who follow
   * it; never while nobody does.
   * @defaultValue `1000`
   */
  readonly followPollMs: number
  /**
   * How many milliseconds pass before somebody who follows the log hears from it when there are no events.
   * @defaultValue `15000`
   */
  readonly heartbeatMs: number
  /**
   * After so many milliseconds somebody who follows the log has to come back, and may be refused then.
   * @defaultValue `900000`
   */
  readonly followMs: number
  /**
   * After so many milliseconds an application whose outcome is not stored is taken for broken off, and the gateway is asked.
   * @defaultValue `60000`
   */
  readonly applyTimeoutMs: number
}

/**
 * What {@link createChangeRequestRouter} takes; `storage` and `authenticate` are required. What `authenticate` answers is
 * what `authorize` gets, and its type is inferred when `authenticate` stands first.
 *
 * @example
 * ```ts
 * const options: ChangeRequestRouterOptions = {
 *   storage: memoryStorage(),
 *   authenticate: apiKeys([{ key: 'user:4f1c', user: { id: 1 }, grants: [{ permission: 'ADMIN' }] }]),
 *   requiredApprovals: 2,
 *   limits: { changesPerRequest: 50 },
 * }
 * ```
 */
export interface ChangeRequestRouterOptions<HostActor extends Actor = Actor, Transaction = unknown> {
  /** Where change requests and events are kept: `knexStorage(...)`, `memoryStorage()` or your own. */
  readonly storage: Storage<Transaction>
  /** Tells who calls; `apiKeys([...])` is the ready-made one. */
  readonly authenticate: Authenticate<HostActor>
  /**
   * Tells who may do what.
   * @defaultValue the grants of the actor, deny by default
   */
  readonly authorize?: Authorize<HostActor>
  /**
   * What exists in your app.
   * @defaultValue every well-formed name
   */
  readonly directory?: Directory
  /**
   * Your people: who may be asked to approve, and what they are called now.
   * @defaultValue nobody can be asked, names are shown as stored
   */
  readonly users?: UserDirectory | null
  /**
   * Your flags: what they are now, and how approved changes are carried out.
   * @defaultValue none: everything works up to Approved
   */
  readonly flags?: FlagGateway<Transaction> | null
  /**
   * Without `flags`: Applied is a mere record, for hosts that carry changes out by following the event log.
   * @defaultValue `false`
   */
  readonly recordOnly?: boolean
  /**
   * Whether an ADMIN may vote on an own change request. The event says so; it is no second pair of eyes.
   * @defaultValue `false`
   */
  readonly adminSelfApproval?: boolean
  /**
   * Whether a vote and an application must name what they decide on, by a `digest` in the body or an `If-Match` that
   * names a revision; without either they are answered with 428. Clients of the original send neither.
   * @defaultValue `false`
   */
  readonly requireRevision?: boolean
  /**
   * Who may set the title and request approvers: the author and an ADMIN, or everybody who may create or approve there.
   * @defaultValue `'author'`
   */
  readonly editDetails?: 'author' | 'anyone'
  /**
   * Begins every path of the router, behind the path that you mount it at. Where that one says it all, as in
   * `app.use('/api/admin', router)`, take `''`.
   * @defaultValue `'/api/admin'`
   */
  readonly basePath?: string
  /**
   * Whether change requests are on where nothing else is set.
   * @defaultValue `true`
   */
  readonly changeRequestsEnabled?: boolean
  /**
   * Approvals that a change request needs where nothing else is set, 1 to 10.
   * @defaultValue `1`
   */
  readonly requiredApprovals?: number
  /**
   * How much a caller may ask for, and how long things may take.
   * @defaultValue those of {@link Limits}
   */
  readonly limits?: Partial<Limits>
  /**
   * Whether single change requests carry `stateTimestamps`; false for clients of before 7.2.
   * @defaultValue `true`
   */
  readonly stateTimestamps?: boolean
  /**
   * Whether people without an `imageUrl` get the address of a gravatar; false: null.
   * @defaultValue `true`
   */
  readonly gravatar?: boolean
  /**
   * Whether events keep the address of the caller, as Express tells it.
   * @defaultValue `false`
   */
  readonly recordIp?: boolean
  /**
   * Begins the links in the summaries of events.
   * @defaultValue `''`
   */
  readonly linkBase?: string
  /**
   * `respond` answers errors, `next` hands them to your error handler.
   * @defaultValue `'respond'`
   */
  readonly errors?: 'respond' | 'next'
  /**
   * Told of trouble; pino and console fit.
   * @defaultValue silent
   */
  readonly logger?: Logger
  /**
   * The present time.
   * @defaultValue the clock of the machine
   */
  readonly clock?: () => Date
}

/** All options with their defaults. */
export type ResolvedOptions = Required<Omit<ChangeRequestRouterOptions, 'limits'>> & { readonly limits: Limits }

const owner = 'createChangeRequestRouter'

const defaultLimits: Limits = {
  bodyBytes: 100 * 1024,
  bodyDepth: 32,
  bodyNodes: 20_000,
  changesPerRequest: 100,
  changesPerChangeRequest: 500,
  changesBytes: 1024 * 1024,
  commentsPerChangeRequest: 1_000,
  commentsBytes: 1024 * 1024,
  hookTimeoutMs: 5_000,
  searchedEvents: 10_000,
  streamTimeoutMs: 60_000,
  followPollMs: 1_000,
  heartbeatMs: 15_000,
  followMs: 900_000,
  applyTimeoutMs: 60_000,
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

const defaults = {
  authorize: grantsAllow,
  directory: {},
  users: null,
  flags: null,
  recordOnly: false,
  adminSelfApproval: false,
  requireRevision: false,
  editDetails: 'author',
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

const storageMethods = [
  'migrate',
  'health',
  'close',
  'failureOf',
  'nextIds',
  'find',
  'findOpen',
  'list',
  'summaries',
  'countByState',
  'projects',
  'findSettings',
  'settings',
  'findIdempotencyRecord',
  'commit',
  'commitSettings',
  'appendEvents',
  'eventHead',
  'eventPage',
  'countEvents',
  'eventCreators',
  'recountEvents',
] as const satisfies readonly (keyof Storage)[]

/**
 * The host's own type of actor ends here: `authorize` is only ever asked about what `authenticate` answered.
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
  return resolved
}

function checkPorts(options: ResolvedOptions): void {
  const { storage, authenticate, authorize, directory, users, flags, logger, clock } = options
  checkPort('storage', storage, storageMethods, 'a storage, such as knexStorage({ knex })')
  check('authenticate', typeof authenticate === 'function', 'a function that tells who calls, such as apiKeys([...])')
  check('authorize', typeof authorize === 'function', 'a function')
  if (users !== null) checkPort('users', users, ['find', 'reviewers'], 'a user directory with find and reviewers')
  if (flags !== null) checkPort('flags', flags, ['current', 'apply'], 'a flag gateway with current and apply')
  if (flags?.actions !== undefined) checkActions(flags.actions)
  const shareable = flags?.transactional !== true || typeof storage.transaction === 'function'
  check('flags', shareable, 'without transactional: this storage has no transactions to share')
  check('logger', hasMethods(logger, ['debug', 'info', 'warn', 'error']), 'a logger with debug, info, warn and error')
  check('clock', typeof clock === 'function', 'a function that answers a Date')
  refuseUnknownOptions(`${owner}.directory`, directory, ['hasProject', 'knownFeatures', 'environments'])
  check(
    'directory',
    Object.values(directory).every((hook) => typeof hook === 'function'),
    'an object of functions',
  )
}

function checkValues(options: ResolvedOptions): void {
  const { basePath, requiredApprovals, linkBase, errors, editDetails } = options
  check(
    'basePath',
    typeof basePath === 'string' && /^(?:\/[\w.~-]+)*$/.test(basePath),
    'a path such as /api/admin, without a slash at its end',
  )
  const approvals = Number.isInteger(requiredApprovals) && requiredApprovals >= 1 && requiredApprovals <= 10
  check('requiredApprovals', approvals, 'a whole number from 1 to 10')
  check(
    'linkBase',
    typeof linkBase === 'string' && !/[\s<>()]/.test(linkBase),
    'an address without blanks and brackets',
  )
  check('errors', ['respond', 'next'].includes(errors), '"respond" or "next"')
  check('editDetails', ['author', 'anyone'].includes(editDetails), '"author" or "anyone"')
  for (const name of booleans) {
    check(name, typeof options[name] === 'boolean', 'a boolean')
  }
}

const booleans = [
  'changeRequestsEnabled',
  'stateTimestamps',
  'gravatar',
  'recordIp',
  'recordOnly',
  'adminSelfApproval',
  'requireRevision',
] as const

function checkActions(actions: unknown): void {
  const listed = Array.isArray(actions) && actions.length > 0
  check('flags.actions', listed, 'a list of actions, or left out where all of them are carried out')
  for (const action of actions as unknown[]) {
    const known = (allActions as readonly unknown[]).includes(action)
    const named = typeof action === 'string' ? `"${action}"` : 'what is no text'
    check('flags.actions', known, `a list of ${allActions.join(', ')}, without ${named}`)
  }
}

/** An object of the host with its methods; whoever hands in something else is told which slip that is. */
function checkPort(name: string, port: unknown, methods: readonly string[], expected: string): void {
  const slip = slipOf(port, methods)
  check(name, slip === undefined, `${expected}${slip}`)
}

function slipOf(port: unknown, methods: readonly string[]): string | undefined {
  const candidate = port as Record<string, unknown> | null | undefined
  if (candidate == null || (typeof port !== 'object' && typeof port !== 'function')) return ''
  const missing = methods.filter((method) => typeof candidate[method] !== 'function')
  if (missing.length === 0) return undefined
  if (typeof candidate.then === 'function') return '; this is a promise: await it first'
  if (typeof port === 'function') {
    const isKnex = typeof candidate.raw === 'function' && 'client' in candidate
    return isKnex
      ? '; this is the Knex itself: take knexStorage({ knex }) of express-change-requests/knex'
      : '; this is a function: call it, and hand in what it returns'
  }
  return `; ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`
}

function check(name: string, fits: boolean, expected: string): void {
  checkOption(owner, name, fits, expected)
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  const candidate = value as Record<string, unknown> | null | undefined
  return candidate != null && methods.every((method) => typeof candidate[method] === 'function')
}
