import type { ChangeRequest } from '../../domain/change-request'
import { segmentChanges } from '../../domain/content/grouping'
import type { Decision, StepOccasion } from '../../domain/decisions/decision'
import { approve, cancel, reject, submit } from '../../domain/decisions/review'
import { withSnapshots } from '../../domain/diff/traces'
import type { FlagState } from '../../domain/flag-state'
import { closedStates, type State } from '../../domain/lifecycle'
import { listForeignSegments } from '../../domain/steps/content-rules'
import { noPolicy } from '../../kernel/facts/policy'
import { prospectOf } from '../../kernel/facts/prospect'
import { reachOf } from '../../kernel/facts/reach'
import { outlookFacts } from '../../kernel/facts/step-facts'
import { validateStored } from '../../kernel/facts/validate'
import { currentFlags, type Outlook, outlookOf, presentOutlook, subjectsOf } from '../../kernel/flags/flag-state'
import { blindDecision, type Sight } from '../../kernel/preconditions'
import { commentLimitsOf, type Services } from '../../kernel/services'
import { settingsOf } from '../../kernel/settings'
import { type Caller, type Occasion, writeExisting } from '../../kernel/steps'
import type { Reference } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

export interface StateChange extends Caller, Reference {
  readonly state: State
  readonly comment: string | null
  /** In UTC; null for every state but Scheduled. */
  readonly scheduledAt: string | null
  /** Of what the caller decides on; null where the body names none. */
  readonly digest: string | null
  /** Why it is applied before its approval; null for anything else. */
  readonly reason?: string | null
}

export function sendToReview(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  return writeExisting(services, input, {
    ...input,
    step: 'submit',
    async gather({ changeRequest }) {
      const { project, environment } = changeRequest
      const { requiredApprovals } = await settingsOf(services, project, environment)
      const [invalid, foreignSegments, { gatedMinimum }] = await Promise.all([
        validateStored(services, input.actor, changeRequest, 'submit'),
        findForeignSegments(services, changeRequest),
        reachOf(services, changeRequest),
      ])
      return { requiredApprovals, invalid, foreignSegments, gatedMinimum }
    },
    decide({ changeRequest }, occasion, { requiredApprovals, gatedMinimum, ...gathered }) {
      const step = stepOccasion(services, input, { ...occasion, facts: { ...occasion.facts, ...gathered } })
      return submit(changeRequest, { ...step, requiredApprovals, gatedMinimum })
    },
  })
}

/** An approval or a rejection. It counts only for the content that was stored when the request arrived (contract 6.3). */
export function vote(
  services: Services,
  input: StateChange,
  state: 'Approved' | 'Rejected',
): Promise<StoredChangeRequest> {
  const isApproval = state === 'Approved'
  const decide = isApproval ? approve : reject
  return writeExisting(services, input, {
    ...input,
    step: isApproval ? 'approve' : 'reject',
    // A rejection does not need the gateway, unless a digest has to be compared.
    async gather(found) {
      if (isApproval) return prospectOf(services, found.changeRequest)
      const asked =
        input.digest === null ? outlookIfKnown(services, found) : presentOutlook(services, found.changeRequest)
      return { outlook: await asked, policy: noPolicy }
    },
    precondition: ({ outlook }, sameContent, seenBefore) =>
      unseen(services, input, outlook, { sameContent, seenBefore }),
    decide({ changeRequest }, occasion, { outlook, policy }) {
      const step = stepOccasion(services, input, occasion)
      const facts = { ...occasion.facts, ...outlookFacts(changeRequest, outlook, policy) }
      const decision = decide(changeRequest, { ...step, facts })
      return isApproval ? decision : closed(decision, outlook.before)
    },
  })
}

export function close(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  return writeExisting(services, input, {
    ...input,
    step: 'cancel',
    gather: (found) => outlookIfKnown(services, found),
    decide: ({ changeRequest }, occasion, { before }) =>
      closed(cancel(changeRequest, stepOccasion(services, input, occasion)), before),
  })
}

/** The refusal of a decision on what its sender did not see. */
function unseen(
  { options }: Services,
  input: StateChange,
  { digest }: Outlook,
  content: Pick<Sight, 'sameContent' | 'seenBefore'>,
) {
  return blindDecision({ ...input, ...content, present: digest, revisionRequired: options.requireRevision })
}

/** A closed change request keeps what its flags were, where that is known. */
function closed(decision: Decision, before: FlagState | undefined): Decision {
  return { ...decision, changeRequest: withSnapshots(decision.changeRequest, before) }
}

/** For snapshots, which are optional: without the flags when the gateway fails. */
async function outlookIfKnown(services: Services, { changeRequest }: StoredChangeRequest): Promise<Outlook> {
  try {
    return await presentOutlook(services, changeRequest)
  } catch (err) {
    services.logger.warn({ err, id: changeRequest.id }, 'A change request was closed without what the flags were.')
    return outlookOf(changeRequest, undefined)
  }
}

function stepOccasion({ options }: Services, { comment }: StateChange, occasion: Occasion): StepOccasion {
  return { ...occasion, comment, commentLimits: commentLimitsOf(options.limits) }
}

/** The gateway is asked about segments alone. */
async function findForeignSegments(services: Services, changeRequest: ChangeRequest) {
  const { state, changes } = changeRequest
  const segments = segmentChanges(changes)
  if (closedStates.includes(state) || segments.length === 0 || services.options.globalSegments) return []
  return listForeignSegments(changeRequest, await currentFlags(services, subjectsOf(changeRequest, segments)))
}
