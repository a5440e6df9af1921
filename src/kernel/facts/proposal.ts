import type { Change, ChangeRequest } from '../../domain/change-request'
import { currentPart, stillRestored } from '../../domain/flags/base'
import type { ProposalFacts } from '../../domain/steps/facts'
import { type CallerFacts, type GatheredFacts, requireProposer } from '../../domain/steps/steps'
import { isRejectionByHook, toChangeRequestError } from '../host/failures'
import { currentFlags, subjectsOf } from '../host/flag-state'
import { unknownFeaturesError } from '../host/unknown-flags'
import { type FactContext, type Proposal, stepOptions } from './fact-context'
import type { PlaceFacts } from './place'
import { reachOf } from './reach'
import { foreignSegmentsIn, validateProposal } from './validate'

/** What the facts of a proposal are about: the open change request of the caller is not known yet, and there may be none. */
export interface ProposalContext extends Pick<FactContext, 'services' | 'actor' | 'hasPermission'> {
  readonly place: Pick<ChangeRequest, 'project' | 'environment'>
  readonly proposal: Proposal
  readonly replaced?: Change | undefined
}

/** The facts of a proposal without those that its commit reads. */
export type ProposedFacts = Omit<GatheredFacts<'add'>, keyof PlaceFacts>

/** Checks the caller before other hooks are called. @throws PermissionError, OperationDeniedError */
export async function checkProposer({ actor, hasPermission, place }: ProposalContext): Promise<CallerFacts<'add'>> {
  const { project, environment } = place
  const facts = {
    userId: actor.id,
    CREATE_CHANGE_REQUEST: await hasPermission('CREATE_CHANGE_REQUEST', { project, environment }),
  }
  requireProposer(place, facts)
  return facts
}

/** If a hook fails, the commit throws its error, unless change requests are disabled. */
export async function factsOfProposal(
  context: ProposalContext,
  caller: CallerFacts<'add'>,
  open: readonly Change[] = [],
  proposal?: ProposalFacts,
): Promise<ProposedFacts> {
  const { services, place, proposal: proposed } = context
  const known = { ...caller, options: stepOptions(context) }
  try {
    const [found, { gatedMinimum }] = await Promise.all([
      proposal ?? proposalFacts(context),
      reachOf(services, { ...place, changes: [...open, ...proposed.changes] }),
    ])
    return { ...known, proposal: found, gatedMinimum }
  } catch (error) {
    const rejected = toChangeRequestError(services.storage, error)
    return { ...known, proposal: { ...nothingProposed, rejected }, gatedMinimum: 0 }
  }
}

/** The results of the hooks for the changes that the caller proposes. */
export async function proposalFacts(context: ProposalContext): Promise<ProposalFacts> {
  const { services, actor, place, proposal, replaced } = context
  const { project, environment } = place
  const { changes, listed } = proposal
  const reading = currentFlags(services, subjectsOf({ project, environment }, changes))
  // Prevents an unhandled rejection: the error is thrown where the promise is awaited.
  reading.catch(() => undefined)
  const unknown = await unknownFeaturesError(services, project, changes)
  if (unknown !== undefined) return { ...nothingProposed, rejected: unknown }
  try {
    const flags = await reading
    const current =
      flags &&
      changes.map((change) => currentPart({ ...change, ...(replaced && stillRestored(change, replaced)) }, flags))
    const asked = { project, environment, actor, ...(current && { current }) }
    const invalid = await validateProposal(services, changes, asked, listed)
    const foreign = foreignSegmentsIn(services, changes, { project, flags, listed })
    return { rejected: undefined, invalid: [...invalid, ...foreign], flags }
  } catch (error) {
    // A hook can throw an error to reject the proposal. The caller gets that error.
    if (isRejectionByHook(error)) return { ...nothingProposed, rejected: error }
    throw error
  }
}

export const nothingProposed: ProposalFacts = { rejected: undefined, invalid: [], flags: undefined }
