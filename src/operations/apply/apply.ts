import { completeApply } from '../../domain/apply'
import { ChangeRequestError } from '../../errors'
import type { StoredChangeRequest } from '../../ports/storage'
import { findVisible, queueOf, toReviewer, visible } from '../change-requests/existing'
import { digestOf } from '../flags/digest'
import { outlookOf, presentFlags } from '../flags/flag-state'
import { requirePermission } from '../runtime/permissions'
import { commentLimitsOf, now, type Services } from '../runtime/services'
import { type Begun, beginApplication, finishApplication } from './apply-by-intent'
import { applyInTransaction } from './apply-in-transaction'
import { type ApplyInput, checkPlan, type Plan } from './plan'
import { isOverdue, settleByGateway } from './settle'

/** How far an application got while it had the queue of its change request to itself. */
type Step = { readonly applied: StoredChangeRequest } | Begun

/** Approved -> Applied: the changes are carried out once, all or none (contract 6.4). */
export async function apply(services: Services, input: ApplyInput): Promise<StoredChangeRequest> {
  const { project, actor } = input
  const { writer, storage } = services
  const first = await findVisible(services, input, actor)
  const { id, environment } = first.changeRequest
  await requirePermission(services, actor, 'APPLY_CHANGE_REQUEST', { project, environment })
  const by = await toReviewer(services, input)
  const content = digestOf(first.changeRequest)

  const step = await writer.retryOnConflict(async (isFirst): Promise<Step | undefined> => {
    const found = isFirst ? first : await findVisible(services, { project, id }, actor)
    if (isOverdue(services, found.changeRequest) && !(await settleByGateway(services, found))) return undefined
    const outlook = outlookOf(found.changeRequest, await presentFlags(services, [found.changeRequest]))
    return writer.runExclusive(queueOf(id), async () => {
      const loaded = visible(await storage.find({ project }, id), actor.id, id)
      const occasion = {
        by,
        now: now(services),
        comment: input.comment,
        commentLimits: commentLimitsOf(services.settings),
        digest: outlook.digest,
      }
      const plan = { loaded, occasion, outlook }
      const sameContent = digestOf(loaded.changeRequest) === content
      checkPlan(services, input, plan, sameContent)
      return start(services, input, plan)
    })
  })
  return 'applied' in step ? step.applied : writer.track(finishApplication(services, step))
}

async function start(services: Services, input: ApplyInput, plan: Plan): Promise<Step | undefined> {
  const { flags } = services
  if (flags !== null && flags.transactional !== true) return beginApplication(services, flags, plan)
  const applied = await (flags === null ? record(services, plan) : applyInTransaction(services, flags, input, plan))
  return applied && { applied }
}

/** The option `recordOnly`: the host carries the changes out when it reads the event. */
function record({ settings, writer }: Services, { loaded, occasion, outlook }: Plan) {
  if (!settings.recordOnly) {
    throw new ChangeRequestError('ConflictError', 'Nothing can be applied here: no flag gateway is set.')
  }
  return writer.commit(loaded, completeApply(loaded.changeRequest, occasion, [], outlook.before))
}
