import type { ChangeRequest, NewChange } from '../../domain/change-request'
import { affectsProject } from '../../domain/content/scope'
import { createChangeRequest, addChanges as decideAdd } from '../../domain/decisions/changes'
import type { FlagState } from '../../domain/flag-state'
import type { Missing } from '../../domain/steps/codes'
import { switchedOff } from '../../domain/steps/state-rules'
import { refusalFor } from '../../domain/steps/steps'
import { voidsVotes } from '../../domain/steps/votes'
import type { ChangeRequestError } from '../../errors'
import { reachOf } from '../../kernel/facts/reach'
import { unknownFeaturesError } from '../../kernel/facts/unknown-flags'
import { refuseForeignSegments, validateProposal } from '../../kernel/facts/validate'
import { hashOf } from '../../kernel/flags/digest'
import { currentFlags, subjectsOf } from '../../kernel/flags/flag-state'
import { requirePerson } from '../../kernel/people/author'
import { decideInOrder, revisionMismatch } from '../../kernel/preconditions'
import { changeLimitsOf, now, type Services } from '../../kernel/services'
import { settingsIn } from '../../kernel/settings'
import { canSettle, ifMatchAfter, settleFirst } from '../../kernel/settle'
import { type Caller, loadProposal, OutdatedFacts, retryOutdated } from '../../kernel/steps'
import type { Command } from '../../kernel/writer/aggregate-writer'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

export interface AddChanges extends Caller {
  readonly project: string
  readonly environment: string
  readonly changes: readonly NewChange[]
  /** False for a body that is one change: paths of details have no position then. */
  readonly listed?: boolean
  /** Makes the error for a change request whose votes the changes would void. Without it they are voided. */
  readonly refuseVoiding?: (current: ChangeRequest) => ChangeRequestError
}

/** Adds changes to the caller's open change request of the project and environment, or to a new one (contract 3.3). */
export async function addChanges(services: Services, input: AddChanges): Promise<StoredChangeRequest> {
  const { storage, writer } = services
  const { project, environment, changes, idempotency } = input
  const author = requirePerson(input.actor, input.ip, services)
  const key = { project, environment, userId: author.person.id }
  const { invalid, present, ...asked } = await askHost(services, input)
  let affected: readonly NewChange[] = changes
  let settled: Settled | undefined
  const attempt = async (): Promise<StoredChangeRequest | undefined> => {
    const { rejected = asked.rejected, gatedMinimum } = await lookUpMinimum(services, { ...key, changes: affected })
    const command: Command = {
      changeIds: changes.length,
      ...(idempotency === undefined ? {} : { idempotency }),
      decide(current, ids, stored) {
        const settings = settingsIn(services, stored)
        const limits = changeLimitsOf(services.options.limits)
        const taken = { present, hash: hashOf, gatedMinimum }
        const proposal = { changes, changeIds: ids.changes, author, now: now(services), limits, invalid, ...taken }
        const fresh = { id: ids.changeRequest, project, environment, minApprovals: settings.requiredApprovals }
        const decide = () => {
          if (current === undefined) return createChangeRequest(fresh, proposal)
          const refused = voidsVotes(current.changeRequest) ? input.refuseVoiding?.(current.changeRequest) : undefined
          if (refused !== undefined) throw refused
          if (settled === undefined && canSettle(services, current.changeRequest)) throw new Interrupted(current)
          affected = [...current.changeRequest.changes, ...changes]
          // The minimum was looked up for the new changes alone.
          if (gatedMinimum === undefined && affectsProject(affected)) throw new OutdatedFacts()
          return decideAdd(current.changeRequest, proposal)
        }
        const obstacle = settings.changeRequestsEnabled ? rejected : refusalFor(switchedOff)
        const ifMatch =
          settled === undefined ? input.ifMatch : ifMatchAfter(input.ifMatch, settled.before, settled.after)
        return decideInOrder(decide, revisionMismatch(ifMatch, current), obstacle)
      },
    }
    return writer.write(JSON.stringify(key), (count) => loadProposal(storage, key, count), command).catch(retryOutdated)
  }
  return writer.retryOnConflict(attempt).catch(async (error: unknown) => {
    if (!(error instanceof Interrupted)) throw error
    settled = { before: error.found, after: await settleFirst(services, error.found) }
    return writer.retryOnConflict(attempt)
  })
}

/** Its failure, too, is thrown only where change requests are on. */
async function lookUpMinimum(
  services: Services,
  place: Parameters<typeof reachOf>[1],
): Promise<{ readonly rejected?: ChangeRequestError; readonly gatedMinimum?: number | undefined }> {
  try {
    return { gatedMinimum: (await reachOf(services, place)).gatedMinimum }
  } catch (error) {
    return { rejected: error as ChangeRequestError, gatedMinimum: 0 }
  }
}

/** The change request that would get the changes, before and after its interrupted apply was settled. */
interface Settled {
  readonly before: StoredChangeRequest
  readonly after: StoredChangeRequest
}

/** The change request that would get the changes has an interrupted apply, which is settled first. */
class Interrupted extends Error {
  readonly found: StoredChangeRequest

  constructor(found: StoredChangeRequest) {
    super('An interrupted apply has to be settled first.')
    this.found = found
  }
}

/** What the hooks say about proposed changes. */
export interface HostAnswers {
  readonly rejected?: ChangeRequestError | undefined
  readonly invalid: readonly Missing[]
  /** The flags as they are now; undefined without a gateway. */
  readonly present?: FlagState | undefined
}

/** What the hooks say about the changes. Their failures, too, are thrown only where change requests are on. */
async function askHost(
  services: Services,
  { actor, project, environment, changes, listed = true }: AddChanges,
): Promise<HostAnswers> {
  try {
    const reading = currentFlags(services, subjectsOf({ project, environment }, changes))
    // Whoever awaits it throws its failure.
    reading.catch(() => undefined)
    const rejected = await unknownFeaturesError(services, project, changes)
    if (rejected !== undefined) return { rejected, invalid: [] }
    const context = { project, environment, actor }
    const [present, verdict] = await Promise.all([reading, validateProposal(services, changes, context, listed)])
    const foreign = refuseForeignSegments(services, changes, { project, present, listed })
    return { ...verdict, invalid: [...verdict.invalid, ...foreign], present }
  } catch (error) {
    return { rejected: error as ChangeRequestError, invalid: [] }
  }
}
