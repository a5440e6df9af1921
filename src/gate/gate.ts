import type { Request, RequestHandler, Response } from 'express'
import { proposalLink } from '../domain/links'
import { ChangeRequestError } from '../errors'
import { identify } from '../http/admission'
import { type Pipeline, sendError } from '../http/request-handler'
import { machineOf, signatureOf } from '../kernel/host/author'
import { toChangeRequestError } from '../kernel/host/failures'
import { callHook, HookTimeoutError, hookFailure, within } from '../kernel/host/hooks'
import { createPermissionCheck, type PermissionCheck } from '../kernel/host/permissions'
import { onceAMinute } from '../kernel/host/safe-logger'
import type { Skip } from '../kernel/log/record-events'
import type { Actor } from '../ports/access'
import { markGuard } from '../ports/guard-mark'
import { describedPlaces, describeFault, isDescribeFault } from './described-places'
import { checkGate, type DescribeWrite, type GateOptions } from './gate-options'
import { type ProposingRouter, proposeInstead } from './propose'
import { maySkip, type RecentlyGated, reviewRequirement, type WritePlace } from './review-required'
import { freezeOfSkip, readSkipReason, type SkipContext } from './skip'

/** Shared by the gates of a router. */
export interface GateKeeper extends ProposingRouter {
  readonly skips: SkipContext
  readonly recentlyGated: RecentlyGated
}

/** Calls `next` at most once, and without an error only if the write may pass. @throws TypeError for a bad option */
export function createGate(keeper: GateKeeper, describe: DescribeWrite, options: GateOptions = {}): RequestHandler {
  checkGate(describe, options)
  const { pipeline, skips } = keeper
  const { logger, clock } = pipeline.services
  // A fault of `describe` can affect every request, so it is logged at most once a minute.
  const faultLogger = onceAMinute(logger, clock)
  const gate: RequestHandler = (req, res, next) => {
    checkRequest(keeper, describe, options, req, res)
      .then(
        (verdict) => {
          if (!verdict.passes) return
          if (verdict.skip === undefined) next()
          else skips.run(verdict.skip, req, res, next)
        },
        (error: unknown) => sendError(error, pipeline, req, res, next, isDescribeFault(error) ? faultLogger : logger),
      )
      .catch((err: unknown) => {
        logger.error({ err, method: req.method }, 'A request failed after it had passed the gate.')
        res.destroy()
      })
  }
  return markGuard(gate, 'gate')
}

/** If the request does not pass to the next handler, the gate has responded already. */
async function checkRequest(
  keeper: GateKeeper,
  describe: DescribeWrite,
  options: GateOptions,
  req: Request,
  res: Response,
): Promise<{ readonly passes: boolean; readonly skip?: Skip }> {
  const { pipeline } = keeper
  const places = await placesOf(pipeline, describe, req)
  if (places === null) return { passes: true }
  const identifyOnce = identifiedOnce(pipeline, req)
  const skip = async (skipIn: readonly WritePlace[]): Promise<Skip | undefined> => {
    const { actor, hasPermission } = await identifyOnce()
    if (!(await maySkip(hasPermission, skipIn))) return undefined
    const reason = readSkipReason(req, options.reason === 'required')
    const by = signatureOf(actor, undefined, pipeline.services.options).signature
    const freeze = await freezeOfSkip(pipeline.services, places)
    pipeline.services.logger.debug(
      { userId: actor.id, places: skipIn, method: req.method },
      'A write passed the gate without a review: its caller holds SKIP_CHANGE_REQUEST, which ADMIN implies.',
    )
    return { by, userId: actor.id, machine: machineOf(actor), reason, freeze }
  }
  if (places.every((place) => keeper.recentlyGated.has(place))) {
    // Callers with the permission pass in any case. For all others, the settings are read first.
    const skipped = await skip(places).catch(() => undefined)
    if (skipped !== undefined) return { passes: true, skip: skipped }
  }
  const gated = await gatedAmong(keeper, places)
  const [first, ...others] = gated
  if (first === undefined) return { passes: true }
  const { actor } = await identifyOnce()
  const skipped = await skip(gated.flatMap(({ requirement }) => requirement.skipIn))
  if (skipped !== undefined) return { passes: true, skip: skipped }
  for (const { unreadable } of gated) if (unreadable !== undefined) throw unreadable
  // A change request belongs to one environment.
  const { project, environment = first.requirement.strictest } = first.place
  if (others.length === 0 && environment !== undefined) {
    const blocked = { actor, place: { project, environment } }
    if (await proposeInstead(keeper, options, blocked, req, res)) return { passes: false }
  }
  throw reviewRequired(keeper, gated)
}

/** Calls `authenticate`, and `authorize` for each place, at most once for a request. */
function identifiedOnce(pipeline: Pipeline, req: Request) {
  let identified: Promise<{ readonly actor: Actor; readonly hasPermission: PermissionCheck }> | undefined
  return () => {
    identified ??= identify(pipeline, req).then((actor) => {
      return { actor, hasPermission: createPermissionCheck(pipeline.services, actor) }
    })
    return identified
  }
}

/** Null when nothing needs a review. Errors of `describe` are for authenticated callers only (contract 18). */
async function placesOf(pipeline: Pipeline, describe: DescribeWrite, req: Request) {
  const { hookTimeoutMs } = pipeline.services.options.limits
  const described = await within(hookTimeoutMs, 'describe', () => describe(req)).catch((error: unknown) => {
    if (ChangeRequestError.is(error) || error instanceof HookTimeoutError) throw hookFailure('describe', error)
    return describeFault('describe threw an error.', error)
  })
  try {
    if (isDescribeFault(described)) throw described
    return describedPlaces(described)
  } catch (error) {
    await identify(pipeline, req)
    throw error
  }
}

interface Gated {
  readonly place: WritePlace
  readonly requirement: Awaited<ReturnType<typeof reviewRequirement>>
  /** The error, if the settings cannot be read. Only callers with SKIP_CHANGE_REQUEST pass then. */
  readonly unreadable?: ChangeRequestError
}

async function gatedAmong({ pipeline, recentlyGated }: GateKeeper, places: readonly WritePlace[]): Promise<Gated[]> {
  const { services } = pipeline
  const gated: Gated[] = []
  for (const place of places) {
    try {
      const requirement = await callHook(services, 'settings', () => reviewRequirement(services, place))
      recentlyGated.record(place, requirement.required)
      if (requirement.required) gated.push({ place, requirement })
    } catch (error) {
      const requirement = { required: true, environments: [], strictest: undefined, skipIn: [place] }
      gated.push({ place, requirement, unreadable: toChangeRequestError(services.storage, error) })
    }
  }
  return gated
}

function reviewRequired({ paths, pipeline }: GateKeeper, gated: readonly Gated[]): ChangeRequestError {
  const where = gated.map(({ place: { project, environment } }) =>
    environment === undefined ? `the project ${project}` : `${environment} of the project ${project}`,
  )
  const message = `Changes in ${where.join(' and ')} need a review. Propose a change request; a direct change needs the permission SKIP_CHANGE_REQUEST.`
  const proposals = gated.flatMap(({ place: { project }, requirement: { environments } }) =>
    environments.map((name) => ({ message: `Propose the change for ${name}.`, path: paths.proposals(project, name) })),
  )
  const [first] = gated as [Gated]
  return new ChangeRequestError('PermissionError', message, {
    permissions: ['SKIP_CHANGE_REQUEST'],
    ...proposalLink(pipeline.services.options, {
      project: first.place.project,
      environment: first.requirement.environments[0],
    }),
    details: [{ message, code: 'missing-permission' }, ...new Map(proposals.map((one) => [one.path, one])).values()],
  })
}
