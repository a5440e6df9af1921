import express, { type Router } from 'express'
import { isApiKeys } from './auth/api-keys'
import type { RecordedEvent } from './generated/index'
import { createEventListView } from './http/events/list'
import { createReadBody } from './http/pipeline/body'
import { errorHandler, type Pipeline, requestHandler } from './http/pipeline/request-handler'
import type { RouteServices } from './http/pipeline/route-services'
import { routes } from './http/routes'
import { describeRouter, type OpenApiDocument, type OpenApiOptions } from './openapi'
import { settle } from './operations/apply/settle'
import { EventFeed } from './operations/events/event-feed'
import { recordEvents } from './operations/events/record-events'
import { within as withinTime } from './operations/runtime/call-hook'
import { IdempotentRunner } from './operations/runtime/idempotency'
import { createWarnOnce } from './operations/runtime/services'
import { AggregateWriter } from './operations/writer/aggregate-writer'
import { type ChangeRequestRouterOptions, type ResolvedOptions, resolveOptions } from './options'
import type { Actor } from './ports/access'
import type { Settlement } from './ports/flags'
import type { StorageHealth } from './ports/storage'
import { parseRecordedEvent } from './validation/events/recorded-event'

/**
 * Options of {@link EventLog.record}.
 *
 * @example
 * ```ts
 * await knex.transaction(async (transaction) => {
 *   await transaction('flags').where({ name: 'checkout' }).update({ archived: true })
 *   const options: RecordOptions = { transaction }
 *   await router.events.record({ type: 'feature-archived', featureName: 'checkout' }, options)
 * })
 * ```
 */
export interface RecordOptions {
  /**
   * A transaction of your app, such as one of Knex: the events are committed with it. Record them as its last step.
   * @defaultValue none: the events are committed before the promise resolves
   */
  readonly transaction?: unknown
}

/**
 * The event log, for your own code: `router.events`.
 *
 * @example
 * ```ts
 * await router.events.record({
 *   type: 'feature-archived',
 *   project: 'shop',
 *   featureName: 'checkout',
 *   createdBy: 'ann@example.com',
 *   createdByUserId: 1,
 * })
 * ```
 */
export interface EventLog {
  /**
   * Appends one or more events in the order given, all of them or none. An event whose `data` equals its `preData` is
   * skipped, because nothing has changed.
   *
   * @throws ChangeRequestError BadDataError when the type or shape of an event is unknown. Errors of the driver are
   * rethrown unchanged.
   * @throws TypeError when the storage cannot share transactions, or when `transaction` is not one of its database.
   */
  record(event: RecordedEvent | readonly RecordedEvent[], options?: RecordOptions): Promise<void>
  /** Recounts the events, after you have removed old ones from the log (see Retention in docs/operations.md). */
  recount(): Promise<void>
}

/**
 * Options of {@link ChangeRequestRouter.close}.
 *
 * @example
 * ```ts
 * process.once('SIGTERM', async () => {
 *   const options: CloseOptions = { timeoutMs: 3_000 }
 *   await router.close(options)
 *   await knex.destroy()
 * })
 * ```
 */
export interface CloseOptions {
  /**
   * How many milliseconds to wait for running requests.
   * @defaultValue `10000`
   */
  readonly timeoutMs?: number
}

/**
 * The Express router that {@link createChangeRequestRouter} returns, with methods for the host.
 *
 * @example
 * ```ts
 * async function start(router: ChangeRequestRouter) {
 *   await router.migrate()
 *   app.use(router)
 *   app.get('/health', async (_req, res) => {
 *     const health = await router.health()
 *     res.status(health.reachable ? 200 : 503).json(health)
 *   })
 * }
 * ```
 */
export interface ChangeRequestRouter extends Router {
  /** Records your own events in the log. */
  readonly events: EventLog
  /**
   * Returns the API of this router as OpenAPI 3.1, with the paths that clients see: they start with `mountPath` and
   * `basePath`. Each call returns a new document.
   *
   * @throws TypeError when `mountPath` is not a path.
   */
  openapi(options?: OpenApiOptions): OpenApiDocument
  /** Creates or upgrades the tables. Idempotent, also when many processes call it at once. Rejects with errors of the driver. */
  migrate(): Promise<void>
  /** Returns the state of the storage. Never rejects. */
  health(): Promise<StorageHealth>
  /**
   * Stores the outcome of an interrupted application, and its events in the log. Needed only for gateways that are neither
   * `transactional` nor have the method `outcome`.
   *
   * @throws ChangeRequestError NotFoundError when the change request does not exist. ConflictError when it has no
   * interrupted application, or when the application began less than `limits.applyTimeoutMs` ago and `force` is not set.
   */
  settle(settlement: Settlement): Promise<void>
  /**
   * Ends all event streams and waits for running writes, for at most `timeoutMs` (default 10,000). Never rejects, and is
   * idempotent. What your app created, such as its Knex, stays open.
   */
  close(options?: CloseOptions): Promise<void>
}

/**
 * Creates the router with change requests and the event log, for `app.use(router)`.
 *
 * @typeParam HostActor What your `authenticate` returns and your `authorize` receives; inferred.
 * @typeParam Transaction The transaction that your storage passes to your flag gateway; inferred.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({ storage: knexStorage({ knex }), authenticate })
 * await router.migrate()
 * app.use(router)
 * ```
 *
 * @example
 * ```ts
 * const teams = new Map([['ann', ['payments', 'shop']]])
 * const router = createChangeRequestRouter({
 *   storage: knexStorage({ knex }),
 *   authenticate: async (req) => ({ id: 1, username: 'ann', teams: teams.get(req.get('x-user') ?? '') ?? [] }),
 *   authorize: ({ teams }, _permission, { project }) => project !== undefined && teams.includes(project),
 * })
 * ```
 *
 * @throws TypeError that names the option, when one is missing, unknown or out of its range.
 */
export function createChangeRequestRouter<HostActor extends Actor = Actor, Transaction = unknown>(
  options: ChangeRequestRouterOptions<HostActor, Transaction>,
): ChangeRequestRouter {
  const resolved = resolveOptions(options)
  const { storage, basePath } = resolved
  const services = createServices(resolved)
  warnOfLostOutcomes(resolved)
  const pipeline: Pipeline = {
    services,
    authenticate: resolved.authenticate,
    byKey: isApiKeys(resolved.authenticate),
    idempotentRunner: new IdempotentRunner(storage),
    readBody: createReadBody(
      express.json({ limit: resolved.limits.bodyBytes, strict: false }),
      resolved.limits.bodyBytes,
    ),
    guard: { depth: resolved.limits.bodyDepth, nodes: resolved.limits.bodyNodes },
    logger: resolved.logger,
    errors: resolved.errors,
    streamTimeoutMs: resolved.limits.streamTimeoutMs,
  }
  const router = express.Router({ caseSensitive: true, mergeParams: true })
  // Express would answer OPTIONS by itself, but it is the host's, as all methods are that no route has.
  router.use((req, _res, next) => next(req.method === 'OPTIONS' ? 'router' : undefined))
  for (const route of routes) router[route.method](`${basePath}${route.path}`, requestHandler(route, pipeline))
  router.use(errorHandler(pipeline))
  return Object.assign(router, {
    events: createEventLog(services),
    openapi: (options?: OpenApiOptions) =>
      describeRouter(
        {
          basePath,
          byKey: pipeline.byKey,
          actions: services.actions,
          changesPerRequest: services.changesPerRequest,
        },
        options,
      ),
    migrate: () => storage.migrate(),
    health: () => storage.health(),
    settle: async (settlement: Settlement) => void (await settle(services, settlement)),
    async close({ timeoutMs = 10_000 } = {}) {
      const closing = async () => {
        await services.feed.close()
        await services.writer.idle()
        await storage.close()
      }
      await withinTime(timeoutMs, 'close', closing).catch((err: unknown) => {
        resolved.logger.error({ err }, 'The router was closed before everything under way had ended.')
      })
    },
  })
}

/** Told once, because it shows only when something breaks. */
function warnOfLostOutcomes({ flags, logger }: ResolvedOptions): void {
  if (flags === null || flags.transactional === true || flags.outcome !== undefined) return
  logger.warn(
    {},
    'The flag gateway is neither transactional nor has it the method outcome(): when an application breaks off, nobody ' +
      'knows whether it was carried out, and somebody has to end it by hand with router.settle().',
  )
}

function createServices(options: ResolvedOptions): RouteServices {
  const { storage, directory, clock, limits, linkBase } = options
  return {
    storage,
    authorize: options.authorize,
    directory,
    users: options.users,
    flags: options.flags,
    logger: options.logger,
    warnOnce: createWarnOnce(options.logger),
    clock,
    parseEvent: parseRecordedEvent,
    writer: new AggregateWriter(storage, linkBase),
    viewEventList: createEventListView(),
    views: { stateTimestamps: options.stateTimestamps },
    changesPerRequest: limits.changesPerRequest,
    actions: options.flags?.actions && [...options.flags.actions],
    searchedEvents: limits.searchedEvents,
    feed: new EventFeed(storage, limits.followPollMs),
    subscriptionLimits: { heartbeatMs: limits.heartbeatMs, followMs: limits.followMs },
    settings: {
      changeRequestsEnabled: options.changeRequestsEnabled,
      requiredApprovals: options.requiredApprovals,
      changesPerChangeRequest: limits.changesPerChangeRequest,
      changesBytes: limits.changesBytes,
      commentsPerChangeRequest: limits.commentsPerChangeRequest,
      commentsBytes: limits.commentsBytes,
      hookTimeoutMs: limits.hookTimeoutMs,
      linkBase,
      gravatar: options.gravatar,
      recordIp: options.recordIp,
      adminSelfApproval: options.adminSelfApproval,
      requireRevision: options.requireRevision,
      editDetails: options.editDetails,
      recordOnly: options.recordOnly,
      applyTimeoutMs: limits.applyTimeoutMs,
    },
  }
}

function createEventLog(services: RouteServices): EventLog {
  const { storage } = services
  return {
    async record(event, { transaction } = {}) {
      const events = (Array.isArray(event) ? event : [event]).map(parseRecordedEvent)
      await recordEvents(services, events, transaction === undefined ? storage : within(transaction))
    },
    recount: () => storage.recountEvents(),
  }

  function within(transaction: unknown) {
    if (storage.within === undefined) throw new TypeError('This storage shares no transactions.')
    return storage.within(transaction)
  }
}
