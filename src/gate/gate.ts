import type { Request, RequestHandler, Response } from 'express'
import { ChangeRequestError } from '../errors'
import { identify } from '../http/pipeline/admission'
import { errorHandler, type Pipeline } from '../http/pipeline/request-handler'
import {
  type ReviewRequirement,
  reviewRequirement,
  type WritePlace,
} from '../operations/change-requests/review-required'
import type { Skip } from '../operations/events/record-events'
import { signatureOf } from '../operations/people/author'
import { callHook } from '../operations/runtime/call-hook'
import { holds } from '../operations/runtime/permissions'
import { markGuard } from '../ports/guard-mark'
import type { ChangeRequestPaths } from './change-request-paths'
import { describedPlace } from './described-place'
import { checkGate, type DescribeWrite, type GateOptions } from './gate-options'
import { proposeInstead } from './propose'
import type { SkipContext } from './skip-context'
import { readSkipReason } from './skip-reason'

/** What the gates of a router share. */
export interface GateKeeper {
  readonly pipeline: Pipeline
  readonly skips: SkipContext
  readonly paths: ChangeRequestPaths
}

/** How a request goes on: to the next handler, also past the review, or not at all, because it is answered. */
type Verdict = { readonly passes: true; readonly skip?: Skip } | { readonly passes: false }

/**
 * Creates middleware before a route of the host that writes. It calls `next` at most once, and without an error only for
 * a write that may pass.
 *
 * @throws TypeError that names the option that does not fit.
 */
export function createGate(keeper: GateKeeper, describe: DescribeWrite, options: GateOptions = {}): RequestHandler {
  checkGate(describe, options)
  const { pipeline, skips } = keeper
  const refuse = errorHandler(pipeline)
  const gate: RequestHandler = (req, res, next) => {
    judge(keeper, describe, options, req, res)
      .then(
        (verdict) => {
          if (!verdict.passes) return
          if (verdict.skip === undefined) next()
          else skips.run(verdict.skip, req, res, next)
        },
        (error: unknown) => refuse(error, req, res, next),
      )
      .catch((err: unknown) => {
        pipeline.logger.error({ err, method: req.method }, 'A request broke off behind the gate.')
        res.destroy()
      })
  }
  return markGuard(gate, 'gate')
}

async function judge(
  keeper: GateKeeper,
  describe: DescribeWrite,
  options: GateOptions,
  req: Request,
  res: Response,
): Promise<Verdict> {
  const { pipeline } = keeper
  const { services } = pipeline
  const place = describedPlace(await callHook(services, 'describe', () => describe(req)))
  if (place === null) return { passes: true }
  const requirement = await readRequirement(pipeline, place)
  if (!ChangeRequestError.is(requirement) && !requirement.required) return { passes: true }
  const actor = await identify(pipeline, req)
  if (await holds(services, actor, 'SKIP_CHANGE_REQUEST', place)) {
    const reason = readSkipReason(req, options.reason === 'required')
    return { passes: true, skip: { by: signatureOf(actor, undefined, services.settings).signature, reason } }
  }
  if (ChangeRequestError.is(requirement)) throw requirement
  if (await proposeInstead(keeper, options, { actor, place }, req, res)) return { passes: false }
  throw reviewRequired(keeper, place, requirement)
}

/** The error, if the settings cannot be read: then only holders of SKIP_CHANGE_REQUEST pass. */
function readRequirement({ services }: Pipeline, place: WritePlace): Promise<ReviewRequirement | ChangeRequestError> {
  return callHook(services, 'settings', () => reviewRequirement(services, place)).catch(
    (error: ChangeRequestError) => error,
  )
}

function reviewRequired(
  { paths }: GateKeeper,
  { project, environment }: WritePlace,
  { environments }: ReviewRequirement,
): ChangeRequestError {
  const where = environment === undefined ? `the project ${project}` : `${environment} of the project ${project}`
  const message = `Changes in ${where} are reviewed. Propose a change request; SKIP_CHANGE_REQUEST is missing to change it directly.`
  return new ChangeRequestError('PermissionError', message, {
    permissions: ['SKIP_CHANGE_REQUEST'],
    details: [
      { message, code: 'permission' },
      ...environments.map((name) => ({ message: `Propose it for ${name}.`, path: paths.proposals(project, name) })),
    ],
  })
}
