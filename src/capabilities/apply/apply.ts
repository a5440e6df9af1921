import { completeApply, traceOf } from '../../domain/decisions/apply'
import { requireCaller } from '../../domain/steps/steps'
import { prospectOf } from '../../kernel/facts/prospect'
import { gatherFacts, outlookFacts } from '../../kernel/facts/step-facts'
import { validateStored } from '../../kernel/facts/validate'
import { digestOf } from '../../kernel/flags/digest'
import { requirePerson } from '../../kernel/people/author'
import { commentLimitsOf, now, type Services } from '../../kernel/services'
import { hadSucceeded, ifMatchAfter, settleFirst } from '../../kernel/settle'
import { queueOf } from '../../kernel/steps'
import { findVisible, visible } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { type Begun, beginApplication, finishApplication } from './apply-by-intent'
import { applyInTransaction } from './apply-in-transaction'
import { type ApplyInput, checkPlan, checkSucceeded, type Plan, type PlanCheck } from './plan'

/** How far an application got while it had the queue of its change request to itself. */
export type Step = { readonly applied: StoredChangeRequest } | Begun

/** Approved -> Applied: the changes are carried out once, all or none (contract 6.4). */
export async function apply(services: Services, sent: ApplyInput): Promise<StoredChangeRequest> {
  const { project, actor } = sent
  const { writer, storage } = services
  const arrived = await findVisible(services, sent, actor)
  const { id } = arrived.changeRequest
  const kind = sent.reason == null ? 'apply' : 'applyInEmergency'
  const asked = await gatherFacts(services, actor, arrived.changeRequest, kind)
  requireCaller(kind, arrived.changeRequest, asked)
  const by = { author: requirePerson(actor, sent.ip, services) }
  const first = await settleFirst(services, arrived)
  if (hadSucceeded(arrived, first)) {
    await checkSucceeded(services, sent, arrived, first)
    return first
  }
  const input = { ...sent, ifMatch: ifMatchAfter(sent.ifMatch, arrived, first) }
  const facts = { ...asked, invalid: await validateStored(services, actor, first.changeRequest, 'apply') }
  const content = digestOf(first.changeRequest)

  const step = await writer.retryOnConflict(async (isFirst): Promise<Step | undefined> => {
    const found = isFirst ? first : await findVisible(services, { project, id }, actor)
    const { outlook, policy } = await prospectOf(services, found.changeRequest)
    return writer.runExclusive(queueOf(id), async () => {
      const loaded = visible(await storage.find({ project }, id), actor.id, id)
      const occasion = {
        by,
        now: now(services),
        comment: input.comment,
        commentLimits: commentLimitsOf(services.options.limits),
        reason: input.reason ?? null,
        facts: { ...facts, ...outlookFacts(loaded.changeRequest, outlook, policy) },
      }
      const plan = { loaded, occasion, outlook, policy }
      const sameContent = digestOf(loaded.changeRequest) === content
      checkPlan(services, input, plan, sameContent)
      return startApplication(services, plan, (again) => checkPlan(services, input, again, true))
    })
  })
  return endApplication(services, step)
}

/** Carries the plan out, or stores the intent to. Undefined for a lost race. */
export async function startApplication(services: Services, plan: Plan, check: PlanCheck): Promise<Step | undefined> {
  const { flags } = services
  if (flags !== null && flags.transactional !== true) return beginApplication(services, flags, plan)
  const applied = await (flags === null ? record(services, plan) : applyInTransaction(services, flags, check, plan))
  return applied && { applied }
}

/** What is left of it once the change request has its queue back. */
export async function endApplication(services: Services, step: Step): Promise<StoredChangeRequest> {
  return 'applied' in step ? step.applied : services.writer.track(finishApplication(services, step))
}

/** The option `recordOnly`: the host carries the changes out when it reads the event. */
function record({ writer }: Services, { loaded, occasion, outlook }: Plan) {
  const { changeRequest } = loaded
  const completion = { ...occasion, emergency: traceOf(changeRequest, occasion) }
  return writer.commit(loaded, completeApply(changeRequest, completion, [], outlook.before))
}
