import type { Request, Response } from 'express'
import { addChanges } from '../capabilities/proposals/add-changes'
import { parseChanges } from '../capabilities/proposals/changes-body'
import type { ChangeRequest } from '../domain/change-request'
import { ChangeRequestError } from '../errors'
import { requireKnownProject } from '../http/admission'
import { idempotentCall, type Pipeline } from '../http/request-handler'
import { sendWhole } from '../http/send'
import { callHook } from '../kernel/hooks'
import { type RunOnce, recordOf } from '../kernel/idempotency'
import { requirePermission } from '../kernel/permissions'
import { findVisible } from '../kernel/visible'
import type { Actor } from '../ports/access'
import type { IdempotencyRecord, StoredChangeRequest } from '../ports/storage'
import { guardBody } from '../validation/core/guard'
import type { ChangeRequestPaths } from './change-request-paths'
import type { GateOptions } from './gate-options'

/** A write that the gate does not let pass, and where it is proposed. */
export interface HeldWrite {
  readonly actor: Actor
  readonly project: string
  readonly environment: string
}

interface ProposedWrite extends HeldWrite {
  /** What `propose` of the host returned. */
  readonly submitted: unknown
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
  { actor, project, environment }: HeldWrite,
  req: Request,
  res: Response,
): Promise<boolean> {
  const { services, guard } = pipeline
  if (propose === undefined) return false
  const submitted: unknown = await callHook(services, 'propose', () => propose(req))
  if (submitted === null) return false
  await requirePermission(services, actor, 'CREATE_CHANGE_REQUEST', { project, environment })
  await requireKnownProject(pipeline, { project, environment })
  guardBody(submitted, guard)
  const { result, replayed } = await addOnce(pipeline, paths, { actor, project, environment, submitted }, req)
  if (replayed) res.setHeader('Idempotency-Replayed', 'true')
  if (answer === undefined) sendAccepted(paths, result, req, res)
  else await answerByHost(pipeline, answer, result, req, res).catch(() => sendAccepted(paths, result, req, res))
  return true
}

/** A retry with the same `Idempotency-Key` gets what the first request was added to, and adds nothing (contract 2.4). */
function addOnce(
  { services, idempotentRunner }: Pipeline,
  paths: ChangeRequestPaths,
  { actor, project, environment, submitted }: ProposedWrite,
  req: Request,
): Promise<RunOnce<StoredChangeRequest>> {
  const call = idempotentCall('changes', services, req, actor, { project, environment, submitted })
  const changes = parseChanges(submitted, {
    changesPerRequest: services.options.limits.changesPerRequest,
    actions: services.flags?.actions,
  })
  const add = () =>
    addChanges(services, {
      actor,
      ip: req.ip,
      ifMatch: undefined,
      idempotency: call && recordOf(call, call.kind),
      project,
      environment,
      changes,
      listed: Array.isArray(submitted),
      refuseVoiding: (current) => votesInTheWay(paths, current),
    })
  const replay = ({ changeRequestId: id }: IdempotencyRecord) => findVisible(services, { project, id }, actor)
  return call ? idempotentRunner.run(call, add, replay) : add().then((result) => ({ result, replayed: false }))
}

function votesInTheWay(paths: ChangeRequestPaths, current: ChangeRequest): ChangeRequestError {
  const { id, project, environment, state } = current
  const proposals = paths.proposals(project, environment)
  const message =
    `Your change request ${id} is ${state}, and one more change would void its approvals. To add the change nevertheless, ` +
    `send it to POST ${proposals}: all approvals are removed, and the review starts again.`
  return new ChangeRequestError('ConflictError', message, {
    details: [
      { message, code: 'state' },
      { message: `See your change request ${id}.`, path: paths.changeRequest(project, id) },
      { message: 'Add the change there.', path: proposals },
    ],
  })
}

/** The change is stored by now: an answer that fails takes nothing back. */
async function answerByHost(
  { services, logger }: Pipeline,
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
    logger.error({ err, method: req.method }, 'A proposed change was not answered by the host.')
    if (!res.headersSent) throw err
    // What was begun would stay open for ever.
    if (!res.writableEnded) res.destroy()
  }
}

function sendAccepted(
  paths: ChangeRequestPaths,
  { changeRequest: { id, project } }: StoredChangeRequest,
  req: Request,
  res: Response,
): void {
  const path = paths.changeRequest(project, id)
  const headers = { 'Cache-Control': 'no-store', Location: path }
  const body = JSON.stringify({ id, path })
  sendWhole({ status: 202, headers, type: 'application/json; charset=utf-8', body }, req, res)
}
