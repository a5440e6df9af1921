import type { Request, Response } from 'express'
import type { AddChanges } from '../capabilities/proposals/add-changes'
import { addChangesRoute } from '../capabilities/proposals/routes'
import type { ChangeRequest } from '../domain/change-request'
import { ChangeRequestError } from '../errors'
import { jsonReply, type Reply } from '../http/reply'
import { type Pipeline, type RouteResult, runRoute } from '../http/request-handler'
import type { IdempotentRoute } from '../http/route'
import { sendWhole } from '../http/send'
import { callHook } from '../kernel/hooks'
import type { Services } from '../kernel/services'
import type { Actor } from '../ports/access'
import type { StoredChangeRequest } from '../ports/storage/change-requests'
import type { ChangeRequestPaths } from './change-request-paths'
import type { GateOptions } from './gate-options'

/** A write that the gate does not let pass, and where it is proposed. */
export interface HeldWrite {
  readonly actor: Actor
  readonly place: { readonly project: string; readonly environment: string }
}

/**
 * Adds what the request stands for to the open change request of the caller, and answers the request; false where nothing can
 * be proposed.
 *
 * @throws ConflictError when somebody has voted on that change request: a stray click must not void votes.
 */
export async function proposeInstead(
  { pipeline, paths }: { readonly pipeline: Pipeline; readonly paths: ChangeRequestPaths },
  { propose, answer }: GateOptions,
  held: HeldWrite,
  req: Request,
  res: Response,
): Promise<boolean> {
  const { services } = pipeline
  if (propose === undefined) return false
  const submitted: unknown = await callHook(services, 'propose', () => propose(req))
  if (submitted === null) return false
  const call = { ...held, req, readBody: async () => submitted }
  const { result, headers } = await runRoute(proposal(paths), pipeline, call)
  const accepted = () => sendWhole(acceptedReply(paths, result, headers), req, res)
  if (answer === undefined) {
    accepted()
    return true
  }
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  await answerByHost(services, answer, result, req, res).catch(accepted)
  return true
}

/** The route that adds changes, for a request to a route of the host: its `If-Match` is about something else. */
function proposal(paths: ChangeRequestPaths): IdempotentRoute<AddChanges> {
  return {
    ...addChangesRoute,
    parse: (context, services) => ({
      ...addChangesRoute.parse(context, services),
      ifMatch: undefined,
      refuseVoiding: (current) => votesInTheWay(paths, current),
    }),
  }
}

function votesInTheWay(paths: ChangeRequestPaths, current: ChangeRequest): ChangeRequestError {
  const { id, project, environment, state } = current
  const proposals = paths.proposals(project, environment)
  const message =
    `Your change request ${id} is ${state}, and one more change would void its approvals. To add the change nevertheless, ` +
    `send it to POST ${proposals}: all approvals are removed, and the review starts again.`
  return new ChangeRequestError('ConflictError', message, {
    details: [
      { message, code: 'wrong-state' },
      { message: `See your change request ${id}.`, path: paths.changeRequest(project, id) },
      { message: 'Add the change there.', path: proposals },
    ],
  })
}

/** The change is stored by now: an answer that fails takes nothing back. */
async function answerByHost(
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
      // It may answer in a callback.
      if (!res.headersSent && !res.closed) await new Promise((resolve) => res.once('close', resolve))
    })
  } catch (err) {
    // It answers in its own time.
    if (hasReturned && res.headersSent) return
    services.logger.error({ err, method: req.method }, 'A proposed change was not answered by the host.')
    if (!res.headersSent) throw err
    // What was begun would stay open for ever.
    if (!res.writableEnded) res.destroy()
  }
}

function acceptedReply(
  paths: ChangeRequestPaths,
  { changeRequest: { id, project } }: StoredChangeRequest,
  headers: RouteResult<unknown>['headers'],
): Reply {
  const path = paths.changeRequest(project, id)
  return { ...jsonReply({ id, path }, { Location: path, ...headers }), status: 202 }
}
