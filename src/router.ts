import express, { type Router } from 'express'
import { isApiKeys } from './auth/api-keys'
import type { RecordedEvent } from './generated/index'
import { createEventListView } from './http/events/list'
import { createReadBody } from './http/pipeline/body'
import { errorHandler, type Pipeline, requestHandler } from './http/pipeline/request-handler'
import type { RouteServices } from './http/pipeline/route-services'
import { routes } from './http/routes'
import { describeRouter, type OpenApiDocument, type OpenApiOptions } from './openapi'
import { settle } from './operations/change-requests/settle'
import { EventFeed } from './operations/events/event-feed'
import { recordEvents } from './operations/events/record-events'
import { AggregateWriter } from './operations/runtime/aggregate-writer'
import { within as withinTime } from './operations/runtime/call-hook'
import { IdempotentRunner } from './operations/runtime/idempotency'
import { createWarnOnce } from './operations/runtime/services'
import { type ChangeRequestRouterOptions, type ResolvedOptions, resolveOptions } from './options'
import type { Actor } from './ports/access'
import type { Settlement } from './ports/flags'
import type { StorageHealth } from './ports/storage'
import { parseRecordedEvent } from './validation/events/recorded-event'

/**
 * How {@link EventLog.record} writes.
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
   * A transaction of the host, such as one of Knex: the events stand or fall with it. Record as its last step.
   * @defaultValue none: the events are committed before the promise resolves
   */
  readonly transaction?: unknown
}

/**
 * The event log, for the code of the host: `router.events`.
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
   * Appends one event of the host or several, all or nothing, in the order given. One whose `data` equals its `preData`
   * tells nothing and is left out.
   *
   * @throws ChangeRequestError BadDataError when an event is not of the known types or shapes. Errors of the driver are
   * thrown as they are.
   * @throws TypeError when the storage shares no transactions, or `transaction` is none of its own.
   */
  record(event: RecordedEvent | readonly RecordedEvent[], options?: RecordOptions): Promise<void>
  /** Makes the kept counts what the log says, after you have removed old events from it (see Retention in docs/operations.md). */
  recount(): Promise<void>
}

/**
 * How {@link ChangeRequestRouter.close} waits.
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
   * The longest wait for what is under way.
   * @defaultValue `10000`
   */
  readonly timeoutMs?: number
}

/**
 * The Express router that {@link createChangeRequestRouter} makes, with what the host needs beside the routes.
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
  /** Writes events of the host's own into the log. */
  readonly events: EventLog
  /**
   * What this router serves as OpenAPI 3.1, with the paths that your clients see: `mountPath` and `basePath` in front. Made
   * anew for each call.
   *
   * @throws TypeError when `mountPath` is no path.
   */
  openapi(options?: OpenApiOptions): OpenApiDocument
  /** Makes the tables what this release needs; any number of processes may call it at once. Rejects as the driver does. */
  migrate(): Promise<void>
  /** How the storage is; never throws. */
  health(): Promise<StorageHealth>
  /**
   * Ends an application that broke off: stores what became of it, as you found out, in the log as any application. Only
   * for gateways without a shared transaction that cannot tell it themselves by `outcome`.
   *
   * @throws ChangeRequestError NotFoundError when there is no such change request, ConflictError when no application of
   * it is open, or when it began less than `limits.applyTimeoutMs` ago and `force` is not set.
   */
  settle(settlement: Settlement): Promise<void>
  /**
   * Ends the streams of followers and waits for the writes under way, for at most `timeoutMs` (default 10,000). It never
   * rejects. Repeatable; what the host made, such as its Knex, stays open.
   */
  close(options?: CloseOptions): Promise<void>
}

/**
 * Makes the router: change requests and event log, to be mounted with `app.use(router)`.
 *
 * @typeParam HostActor What your `authenticate` answers and your `authorize` gets; inferred, no need to name it.
 * @typeParam Transaction What your storage gives to your flag gateway; inferred as well.
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
 * @throws TypeError that names the option when one is missing, unknown or out of its range.
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
