import express from 'express'
import { isApiKeys } from '../auth/api-keys'
import { Settler } from '../capabilities/apply/settler'
import { Consumers } from '../capabilities/consumers/consumers'
import { toItemView } from '../capabilities/lists/review-view'
import { readInboxItem } from '../capabilities/lists/reviews'
import { routerHealth } from '../capabilities/schedule/schedule-health'
import { Scheduler } from '../capabilities/schedule/scheduler'
import { maxTimerMs } from '../check-options'
import { parsePlaceArgument } from '../gate/described-places'
import { createGate, type GateKeeper } from '../gate/gate'
import type { DescribeWrite, GatedPlace, GateOptions } from '../gate/gate-options'
import { mountPathOf } from '../gate/mount-path'
import { RecentlyGated, reviewRequirement } from '../gate/review-required'
import { SkipContext } from '../gate/skip'
import { createReadBody } from '../http/body'
import { errorHandler, type Pipeline, requestHandler } from '../http/request-handler'
import type { Route } from '../http/route'
import { createChangeRequestPaths } from '../kernel/change-request-paths'
import { within as withinTime } from '../kernel/host/hooks'
import { safeLogger } from '../kernel/host/safe-logger'
import type { Services } from '../kernel/services'
import { settle } from '../kernel/step/settle'
import { IdempotentRunner } from '../kernel/writer/idempotency'
import { describeRouter, type OpenApiOptions } from '../openapi'
import { owner, typoInGateway, warningsOfFields } from '../options/check-ports'
import { resolveOptions } from '../options/resolve-options'
import type { ChangeRequestRouterOptions, ResolvedOptions } from '../options/router-options'
import type { Actor } from '../ports/access'
import type { Settlement } from '../ports/flags'
import { markGuard } from '../ports/guard-mark'
import { openTelemetry } from '../telemetry'
import { featureNameRules } from '../validation/core/names'
import type { ChangeRequestRouter } from './change-request-router'
import { createEventLog } from './event-log'
import { createRoutes } from './routes'
import { createServices } from './services'

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
 * @throws TypeError that names the option, when one is missing, unknown or out of its range.
 */
export function createChangeRequestRouter<HostActor extends Actor = Actor, Transaction = unknown>(
  options: ChangeRequestRouterOptions<HostActor, Transaction>,
): ChangeRequestRouter<Transaction> {
  const checked = resolveOptions(options)
  const resolved = { ...checked, logger: safeLogger(checked.logger) }
  const { storage, basePath } = resolved
  const recentlyGated = new RecentlyGated()
  const telemetry = resolved.telemetry === false ? undefined : openTelemetry(resolved.telemetry, owner)
  const services = createServices(
    resolved,
    {
      acceptsSchedules: () => acceptsSchedules(services, scheduler),
      onScheduled: () => scheduler.wake(),
      consumers: () => consumers.registered,
      onConsumerMoved: () => consumers.wake(),
      onSettingsChanged: (place) => recentlyGated.record(place, false),
    },
    telemetry,
  )
  const scheduler = new Scheduler(services, resolved.limits.schedulePollMs)
  const settler = new Settler(services)
  const consumers = new Consumers(services, async (project, id) => {
    const item = await readInboxItem(services, { project, id })
    return item && toItemView(item, resolved)
  })
  telemetry?.observe({
    read: () => storage.gauges(),
    followers: () => services.feed.followers,
    clock: resolved.clock,
  })
  warnOfGateway(resolved)
  for (const warning of warningsOfFields(resolved, services.actions)) resolved.logger.warn({}, warning)
  const ignoreProblems = storage.onProblem?.(({ level, message, details = {} }) =>
    resolved.logger[level](details, message),
  )
  const { bodyBytes } = resolved.limits
  const pipeline: Pipeline = {
    services,
    byKey: isApiKeys(resolved.authenticate),
    idempotentRunner: new IdempotentRunner(storage),
    readBody: createReadBody(express.json({ limit: bodyBytes, strict: false }), bodyBytes),
  }
  const router = express.Router({ caseSensitive: true, mergeParams: true })
  const routes = createRoutes()
  const warnOfMount = createMountWarning(services, routes)
  const first: express.RequestHandler = (req, _res, next) => {
    warnOfMount(req)
    // Express would respond to OPTIONS itself. Like all methods without a route, OPTIONS is left to the host app. So are all
    // other paths, which Express would compare with each route.
    next(req.method === 'OPTIONS' || !req.path.startsWith(basePath) ? 'router' : undefined)
  }
  router.use(markGuard(first, 'review'))
  const isServed = ({ option }: Route) => option === undefined || resolved[option]
  for (const route of routes.filter(isServed))
    router[route.method](`${basePath}${route.path}`, requestHandler(route, pipeline))
  router.use(markGuard(errorHandler(pipeline), 'review'))
  const described = {
    basePath,
    byKey: pipeline.byKey,
    actions: services.actions,
    changesPerRequest: resolved.limits.changesPerRequest,
    featureName: featureNameRules[resolved.featureNames].published,
    leftOut: routes.filter((route) => !isServed(route)).map(({ operationId }) => operationId),
  }
  const skips = new SkipContext()
  const keeper: GateKeeper = {
    pipeline,
    skips,
    paths: createChangeRequestPaths(basePath),
    mountPath: (req) => mountPathOf(router, req),
    recentlyGated,
  }
  return Object.assign(router, {
    events: createEventLog(services, consumers, () => skips.current()),
    gate: (describe: DescribeWrite, options?: GateOptions) =>
      createGate(keeper, describe, options) as ReturnType<ChangeRequestRouter['gate']>,
    takesChangeRequests: async (place: GatedPlace) =>
      (await reviewRequirement(services, parsePlaceArgument(place))).required,
    openapi: (options?: OpenApiOptions) => describeRouter(described, options),
    migrate: () => storage.migrate(),
    health: () => routerHealth(services, scheduler.lastRunAt),
    start() {
      settler.start()
      consumers.start()
      if (resolved.schedule === 'here') scheduler.start()
    },
    runDue: () => scheduler.runDue(),
    settle: async (settlement: Settlement) => void (await settle(services, settlement)),
    async close({ timeoutMs = 10_000 } = {}) {
      // Never rejects, so a longer time counts as the longest that a timer can wait.
      const waitMs = Math.min(timeoutMs, maxTimerMs)
      telemetry?.close()
      const closing = async () => {
        // A handler that ignores its signal must not keep the leases from being ended.
        await Promise.all([scheduler.close(), settler.close(), consumers.close(waitMs * 0.8)])
        await services.feed.close()
        await services.writer.idle()
        services.outage.close()
        await storage.close()
        ignoreProblems?.()
      }
      await withinTime(waitMs, 'close', closing).catch((err: unknown) => {
        resolved.logger.error({ err }, 'The router was closed while writes were still running.')
      })
    },
  })
}

/** Warns of a router that is mounted at its own `basePath`: its paths then have the prefix twice, and clients get 404. */
function createMountWarning({ options: { basePath }, warnOnce }: Services, routes: readonly Route[]) {
  const begins = new Set(routes.map(({ path }) => path.split('/')[1]))
  return ({ baseUrl, path }: express.Request): void => {
    if (basePath === '' || !baseUrl.endsWith(basePath) || !begins.has(path.split('/')[1])) return
    warnOnce(
      'basePath',
      `A request to ${baseUrl}${path} matches no route, because the router is mounted at ${baseUrl} and adds ${basePath} ` +
        "again. Mount it with app.use(router), or set basePath: ''.",
    )
  }
}

/** Schedules are accepted only if something will apply them: a schedule that never runs would fail silently. */
function acceptsSchedules({ options, warnOnce }: Services, { state }: Scheduler): boolean {
  if (options.schedule !== 'here') return options.schedule === 'elsewhere'
  if (state === 'idle') {
    const hint =
      'Scheduling is not available: the option schedule is "here", but router.start() has not been called. If another ' +
      'process or your own timer applies schedules, set schedule to "elsewhere".'
    warnOnce('start', hint)
  }
  return state === 'started'
}

/** Warns when the router is created, because otherwise the problems would appear only after an interrupted apply. */
function warnOfGateway({ flags, logger }: ResolvedOptions): void {
  if (flags === null) return
  const typo = typoInGateway(flags)
  if (typo !== undefined) logger.warn({}, typo)
  if (flags.transactional === true || flags.outcome !== undefined) return
  logger.warn(
    {},
    'The flag gateway is not transactional and has no method outcome(). The result of an interrupted apply will be ' +
      'unknown until you settle it with router.settle(). Implement outcome() to settle interrupted applies automatically.',
  )
}
