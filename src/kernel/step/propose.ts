import { affectsProject } from '../../domain/actions/table'
import type { ChangeRequest } from '../../domain/change-request'
import type { Decision } from '../../domain/decisions/decision'
import type { Attribution } from '../../domain/events/events'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { decisionTime } from '../facts/expiry'
import { placeFacts } from '../facts/place'
import { checkProposer, factsOfProposal, type ProposalContext, type ProposedFacts } from '../facts/proposal'
import { createPermissionCheck } from '../host/permissions'
import { type SettingsReader, settingsReader } from '../host/settings'
import type { Services } from '../services'
import type { FreshIds } from '../writer/decide-all'
import { authorOf, revisionFacts } from './arrive'
import { proposalQueue, type WriteCommand } from './perform-step'
import { canSettle, ifMatchAfter, settleFirst } from './settle'
import type { ProposalInput } from './step-input'

type Decide = (current: ChangeRequest | undefined, command: WriteCommand<'add'>) => Decision

interface Start {
  readonly facts: ProposedFacts
  readonly settingsIn: SettingsReader
  readonly ifMatch: string | undefined
  /** Whether an interrupted apply of the open change request was settled. */
  readonly isSettled: boolean
}

/** The open change request has changes that the facts do not consider, or an interrupted apply. */
class OutdatedProposal extends Error {
  readonly open: StoredChangeRequest
  readonly isInterrupted: boolean

  constructor(open: StoredChangeRequest, isInterrupted: boolean) {
    super('The open change request was not known when the facts were gathered.')
    this.open = open
    this.isInterrupted = isInterrupted
  }
}

/**
 * Proposes changes: checks the caller, gathers the facts, and then decides and commits on the open change request of the caller
 * or without one, in the order of contract 11.4. The commit itself loads it, so the facts are about the proposal alone.
 *
 * @param decide Pure; it may be called more than once. Without a current change request it creates one.
 */
export async function performProposal(services: Services, input: ProposalInput, decide: Decide) {
  const { actor, proposal, project, environment, ifMatch } = input
  const by = authorOf(services, input)
  const hasPermission = input.hasPermission ?? createPermissionCheck(services, actor)
  const context: ProposalContext = { services, actor, hasPermission, place: { project, environment }, proposal }
  const caller = await checkProposer(context)
  const [facts, settingsIn] = await Promise.all([
    factsOfProposal(context, caller),
    settingsReader(services, context.place),
  ])
  const start = { facts, settingsIn, ifMatch, isSettled: false }
  return services.writer.retryFrom<StoredChangeRequest, Start>(start, async (from) => {
    try {
      return { value: await commit(services, { ...input, by }, from, decide) }
    } catch (error) {
      if (error instanceof OutdatedProposal) return { next: await startAfter(services, context, from, error) }
      throw error
    }
  })
}

function commit(
  services: Services,
  input: ProposalInput & Pick<Attribution, 'by'>,
  from: Start,
  decide: Decide,
): Promise<StoredChangeRequest> {
  const { by, proposal, idempotency } = input
  const { key, load } = proposalQueue(services, input, input)
  return services.writer.write(key, load, {
    changeIds: proposal.changes.length,
    ...(idempotency && { idempotency }),
    decide(open, ids: FreshIds, settings) {
      if (open !== undefined) requireKnown(services, input, from, open)
      const stated = { ifMatch: from.ifMatch, mustCreate: input.mustCreate }
      const revision = revisionFacts(services, stated, open, true)
      const { now, expiry } = decisionTime(services)
      const facts = { ...from.facts, ...placeFacts(from.settingsIn(settings), open), revision, expiry }
      return decide(open?.changeRequest, { by, now, facts, ids })
    },
  })
}

function requireKnown(services: Services, { proposal }: ProposalInput, from: Start, open: StoredChangeRequest): void {
  const { changeRequest } = open
  if (!from.isSettled && canSettle(services, changeRequest)) throw new OutdatedProposal(open, true)
  // The facts considered only the proposed changes. The stored changes may affect the whole project.
  const isLookedUp = from.facts.gatedMinimum !== undefined
  if (!isLookedUp && affectsProject([...changeRequest.changes, ...proposal.changes])) {
    throw new OutdatedProposal(open, false)
  }
}

async function startAfter(
  services: Services,
  context: ProposalContext,
  from: Start,
  { open, isInterrupted }: OutdatedProposal,
): Promise<Start> {
  const { facts, ifMatch } = from
  if (isInterrupted) {
    const settled = await settleFirst(services, open)
    return { ...from, ifMatch: ifMatchAfter(ifMatch, open, settled), isSettled: true }
  }
  return { ...from, facts: await factsOfProposal(context, facts, open.changeRequest.changes, facts.proposal) }
}
