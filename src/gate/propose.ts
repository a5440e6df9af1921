import type { Request, Response } from 'express'
import type { AddChanges } from '../capabilities/proposals/changes'
import { addChangesRoute } from '../capabilities/proposals/routes'
import type { ChangeRequest } from '../domain/change-request'
import { openObjections } from '../domain/content/objections'
import { type LinkOptions, pageLink } from '../domain/links'
import { ChangeRequestError } from '../errors'
import type { RouteCall } from '../http/admission'
import { jsonReply } from '../http/reply'
import { measured, type Pipeline, runRoute } from '../http/request-handler'
import type { IdempotentRoute, Route } from '../http/route'
import { sendWhole } from '../http/send'
import type { ChangeRequestPaths } from '../kernel/change-request-paths'
import { callHook } from '../kernel/host/hooks'
import type { Services } from '../kernel/services'
import type { StoredChangeRequest } from '../ports/storage/change-requests'
import type { GateOptions } from './gate-options'

export interface ProposingRouter {
  readonly pipeline: Pipeline
  readonly paths: ChangeRequestPaths
  /** The path at which the router is mounted in the app of a request. */
  readonly mountPath: (req: Request) => string
}

/**
 * Adds the changes of the request to the caller's open change request and responds. Returns false if nothing can be proposed.
 * @throws ConflictError if that change request has votes: an accidental click must not void them.
 */
export async function proposeInstead(
  { pipeline, paths, mountPath }: ProposingRouter,
  { propose, answer }: GateOptions,
  blocked: Pick<RouteCall, 'actor' | 'place'>,
  req: Request,
  res: Response,
): Promise<boolean> {
  const { services } = pipeline
  if (propose === undefined) return false
  const submitted: unknown = await callHook(services, 'propose', () => propose(req))
  if (submitted === null) return false
  const route = proposal(paths, services.options)
  const { result, headers } = await measured(route as Route, services, (onAdmitted) =>
    runRoute(route, pipeline, { ...blocked, req, readBody: async () => submitted, onAdmitted }),
  )
  const { id, project } = result.changeRequest
  const path = paths.changeRequest(project, id)
  const link = pageLink(services.options, { project, id })
  const reply = {
    ...jsonReply({ id, path, ...link }, { Location: `${mountPath(req)}${path}`, ...headers }),
    status: 202,
  }
  const accepted = () => sendWhole(reply, req, res)
  if (answer === undefined) {
    accepted()
    return true
  }
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  await respondByHost(services, answer, result, req, res).catch(accepted)
  return true
}

/** The route that adds changes, without `If-Match` and `If-None-Match`: here they are about a resource of the host app. */
function proposal(paths: ChangeRequestPaths, links: LinkOptions): IdempotentRoute<AddChanges> {
  return {
    ...addChangesRoute,
    parse: (context, services) => ({
      ...addChangesRoute.parse(context, services),
      ifMatch: undefined,
      mustCreate: false,
      rejectVoiding: (current) => wouldVoidVotes(paths, links, current),
    }),
  }
}

function wouldVoidVotes(paths: ChangeRequestPaths, links: LinkOptions, current: ChangeRequest) {
  const { id, project, environment, state } = current
  const proposals = paths.proposals(project, environment)
  const objections = openObjections(current).length === 0 ? '' : ' and outdate the objections to it'
  const message =
    `Your change request ${id} is ${state}; another change would void its approvals${objections}. To add the change anyway, ` +
    `send it to POST ${proposals}. All approvals are then removed and the review starts again.`
  return new ChangeRequestError('ConflictError', message, {
    ...pageLink(links, current),
    details: [
      { message, code: 'wrong-state' },
      { message: `See your change request ${id}.`, path: paths.changeRequest(project, id) },
      { message: 'Add the change here.', path: proposals },
    ],
  })
}

/** The change is already stored: if the response fails, the change stays. */
async function respondByHost(
  services: Services,
  answer: NonNullable<GateOptions['answer']>,
  { changeRequest }: StoredChangeRequest,
  req: Request,
  res: Response,
): Promise<void> {
  let hasReturned = false
  try {
    await callHook(services, 'answer', async () => {
      await answer(req, res, structuredClone(changeRequest))
      hasReturned = true
      // `answer` may respond in a callback.
      if (!res.headersSent && !res.closed) await new Promise((resolve) => res.once('close', resolve))
    })
  } catch (err) {
    // `answer` has returned and still streams its response, which may take longer than the limit.
    if (hasReturned && res.headersSent) return
    const message = 'The change was proposed, but the option `answer` of the gate failed.'
    services.logger.error({ err, method: req.method }, message)
    if (!res.headersSent) throw err
    // Otherwise the unfinished response would stay open.
    if (!res.writableEnded) res.destroy()
  }
}
