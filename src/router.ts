import express, { type Router } from 'express'
import type { RecordedEvent } from './generated/index'
import { createReadBody } from './http/body'
import { createEventLists } from './http/event-list'
import { createErrorHandler, createHandler, type Edge } from './http/handle'
import { routes } from './http/routes'
import type { RouteServices } from './http/routes/route'
import { createOnce } from './operations/idempotency'
import { recordEvents } from './operations/record-events'
import { AggregateWriter } from './operations/write'
import { type ChangeRequestRouterOptions, type ResolvedOptions, resolveOptions } from './options'
import type { StorageHealth } from './ports/storage'
import { parseRecordedEvent } from './validation/parse-event'

export interface RecordOptions {
  /** A transaction of the host, such as one of Knex: the events stand or fall with it. Record as its last step. */
  readonly transaction?: unknown
}

/** The event log, for the code of the host. */
export interface EventLog {
  /**
   * Appends one event of the host or several, all or nothing, in the order given.
   *
   * @throws ChangeRequestError BadDataError when an event is not of the known types or shapes.
   */
  record(event: RecordedEvent | readonly RecordedEvent[], options?: RecordOptions): Promise<void>
}

/** An Express router with what the host needs beside the routes. */
export interface ChangeRequestRouter extends Router {
  readonly events: EventLog
  /** Makes the tables what this release needs; any number of processes may call it at once. */
  migrate(): Promise<void>
  /** How the storage is; never throws. */
  health(): Promise<StorageHealth>
  /** Waits for the writes under way. Repeatable; what the host made, such as its Knex, stays open. */
  close(): Promise<void>
}

/**
 * Makes the router: change requests and event log, to be mounted with `app.use(router)`.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({ storage: knexStorage({ knex }), authenticate })
 * await router.migrate()
 * app.use(router)
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or out of its range.
 */
export function createChangeRequestRouter(options: ChangeRequestRouterOptions): ChangeRequestRouter {
  const resolved = resolveOptions(options)
  const { storage, basePath } = resolved
  const services = createServices(resolved)
  const edge: Edge = {
    services,
    authenticate: resolved.authenticate,
    once: createOnce(services),
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
  for (const route of routes) router[route.method](`${basePath}${route.path}`, createHandler(route, edge))
  router.use(createErrorHandler(edge))
  return Object.assign(router, {
    events: createEventLog(services),
    migrate: () => storage.migrate(),
    health: () => storage.health(),
    async close() {
      await services.writer.idle()
      await storage.close()
    },
  })
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
    clock,
    parseEvent: parseRecordedEvent,
    writer: new AggregateWriter(storage, linkBase),
    eventLists: createEventLists(storage),
    views: { stateTimestamps: options.stateTimestamps },
    changesPerRequest: limits.changesPerRequest,
    settings: {
      changeRequestsEnabled: options.changeRequestsEnabled,
      requiredApprovals: options.requiredApprovals,
      changesPerChangeRequest: limits.changesPerChangeRequest,
      linkBase,
      gravatar: options.gravatar,
      recordIp: options.recordIp,
      adminSelfApproval: options.adminSelfApproval,
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
  }

  function within(transaction: unknown) {
    if (storage.within === undefined) throw new TypeError('This storage shares no transactions.')
    return storage.within(transaction)
  }
}
