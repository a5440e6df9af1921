import type { Request, Response } from 'express'
import { requireKnownProject } from '../http/pipeline/admission'
import { idempotentCall, type Pipeline } from '../http/pipeline/request-handler'
import { sendWhole } from '../http/pipeline/send'
import { addChanges } from '../operations/change-requests/add-changes'
import { findVisible } from '../operations/change-requests/existing'
import type { WritePlace } from '../operations/change-requests/review-required'
import { callHook } from '../operations/runtime/call-hook'
import { type RunOnce, recordOf } from '../operations/runtime/idempotency'
import { requirePermission } from '../operations/runtime/permissions'
import type { Actor } from '../ports/access'
import type { IdempotencyRecord, StoredChangeRequest } from '../ports/storage'
import { parseChanges } from '../validation/bodies/changes'
import { guardBody } from '../validation/core/guard'
import type { ChangeRequestPaths } from './change-request-paths'
import type { GateOptions } from './gate-options'

/** A write that the gate does not let pass. */
export interface HeldWrite {
  readonly actor: Actor
  readonly place: WritePlace
}

interface ProposedWrite {
  readonly actor: Actor
  readonly project: string
  readonly environment: string
  /** What `propose` of the host returned. */
  readonly submitted: unknown
}

/**
 * Adds what the request stands for to the draft of the caller, and answers the request; false where nothing can be proposed.
 *
 * @throws ConflictError when the open change request of the caller is past its draft: the change would void approvals.
 */
export async function proposeInstead(
  { pipeline, paths }: { readonly pipeline: Pipeline; readonly paths: ChangeRequestPaths },
  { propose, answer }: GateOptions,
  { actor, place: { project, environment } }: HeldWrite,
  req: Request,
  res: Response,
): Promise<boolean> {
  const { services, guard } = pipeline
  if (propose === undefined || environment === undefined) return false
  const submitted: unknown = await callHook(services, 'propose', () => propose(req))
  if (submitted === null) return false
  await requirePermission(services, actor, 'CREATE_CHANGE_REQUEST', { project, environment })
  await requireKnownProject(pipeline, { project, environment })
  guardBody(submitted, guard)
  const { result, replayed } = await addOnce(pipeline, { actor, project, environment, submitted }, req)
  if (replayed) res.setHeader('Idempotency-Replayed', 'true')
  if (answer === undefined) sendAccepted(paths, result, req, res)
  else await answerByHost(pipeline, answer, result, req, res).catch(() => sendAccepted(paths, result, req, res))
  return true
}

/** A retry with the same `Idempotency-Key` gets what the first request was added to, and adds nothing (contract 2.4). */
function addOnce(
  { services, idempotentRunner }: Pipeline,
  { actor, project, environment, submitted }: ProposedWrite,
  req: Request,
): Promise<RunOnce<StoredChangeRequest>> {
  const call = idempotentCall('changes', services, req, actor, { project, environment, submitted })
  const changes = parseChanges(submitted, services)
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
      draftOnly: true,
    })
  const replay = ({ changeRequestId: id }: IdempotencyRecord) => findVisible(services, { project, id }, actor)
  return call ? idempotentRunner.run(call, add, replay) : add().then((result) => ({ result, replayed: false }))
}

/** The change is stored by now: an answer that fails takes nothing back. */
async function answerByHost(
  { services, logger }: Pipeline,
  answer: NonNullable<GateOptions['answer']>,
  { changeRequest }: StoredChangeRequest,
  req: Request,
  res: Response,
): Promise<void> {
  try {
    await callHook(services, 'answer', () => answer(req, res, structuredClone(changeRequest)))
  } catch (err) {
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
