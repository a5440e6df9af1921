import { emergencyOf, traceOf } from '../../domain/decisions/apply-trace'
import { type CommentedCommand, loggedTexts } from '../../domain/decisions/decision'
import { requireStepWithComment } from '../../domain/decisions/discussion'
import { approvalRecord } from '../../domain/steps/approval-record'
import { previewOf } from '../../kernel/host/flag-state'
import type { Services } from '../../kernel/services'
import { finish } from '../../kernel/step/flag-events'
import { queueOf } from '../../kernel/step/perform-step'
import { prepareStep } from '../../kernel/step/prepare-step'
import { type Caller, type Reference, visible } from '../../kernel/step/step-input'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { beginApply, finishApply, type StartedApply } from './apply-by-intent'
import { applyInTransaction } from './apply-in-transaction'
import type { Plan, Replan } from './plan'

interface ApplyInput extends Caller, Reference {
  readonly comment: string | null
  /** The digest that the caller decides on; null if the body has none. */
  readonly digest: string | null
  /** Why it is applied before its approval; null for an ordinary apply. */
  readonly reason?: string | null
}

export type ApplyProgress = { readonly applied: StoredChangeRequest } | StartedApply

/** Approved -> Applied: the changes are applied once and atomically (contract 6.4). */
export async function apply(services: Services, input: ApplyInput): Promise<StoredChangeRequest> {
  const { storage, writer } = services
  const { project, actor, comment, reason = null } = input
  const step = reason === null ? 'apply' : 'applyInEmergency'
  const progress = await prepareStep(services, step, input, ({ changeRequest: { id } }, prepared) =>
    writer.runExclusive(queueOf(id), async () => {
      const loaded = visible(await storage.find({ project }, id), actor.id, id)
      const { changeRequest } = loaded
      const planWith = (command: CommentedCommand<typeof step>): Plan => {
        requireStepWithComment(step, changeRequest, command)
        const emergency = emergencyOf(changeRequest, reason, command.facts, command.now)
        const trace = {
          ...traceOf(changeRequest, command.facts, command.now, emergency),
          ...loggedTexts(command.facts, { comment, title: changeRequest.title }),
        }
        const preview = previewOf(changeRequest, command.facts.flags)
        const record = approvalRecord(changeRequest, command.facts)
        return { loaded, preview, command: { ...command, trace, record } }
      }
      const plan = planWith({ ...prepared.commandFor(loaded), comment })
      return startApply(services, plan, async (flags) => {
        const { commandFor } = await prepared.onFlags(flags)
        return planWith({ ...commandFor(loaded), comment })
      })
    }),
  )
  return 'changeRequest' in progress ? progress : endApply(services, progress)
}

/** Applies the plan, or stores the intent to apply it. Undefined for a lost race. */
export async function startApply(services: Services, plan: Plan, replan: Replan): Promise<ApplyProgress | undefined> {
  const { flags, writer } = services
  if (flags !== null && flags.transactional !== true) return beginApply(services, flags, plan)
  const { loaded, command, preview } = plan
  // The option `recordOnly`: the host app applies the changes when it reads the event.
  const record = () => writer.commit(loaded, finish(services, loaded.changeRequest, command, [], preview.before))
  const applied = await (flags === null ? record() : applyInTransaction(services, flags, plan, replan))
  return applied && { applied }
}

/** The phase of applying that does not block the queue of the change request. */
export async function endApply(services: Services, progress: ApplyProgress): Promise<StoredChangeRequest> {
  return 'applied' in progress ? progress.applied : services.writer.track(finishApply(services, progress))
}
