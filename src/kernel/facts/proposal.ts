import { currentPart, stillRestored } from '../../domain/flags/base'
import type { ProposalFacts } from '../../domain/steps/facts'
import type { ChangeRequestError } from '../../errors'
import { isRejectionByHook } from '../host/failures'
import { currentFlags, subjectsOf } from '../host/flag-state'
import { unknownFeaturesError } from '../host/unknown-flags'
import type { FactContext } from './fact-context'
import { foreignSegmentsIn, validateProposal } from './validate'

/** The results of the hooks for the changes that the caller proposes. */
export async function proposalFacts(context: FactContext): Promise<ProposalFacts> {
  const { services, actor, changeRequest, proposal } = context
  if (proposal === undefined) return { rejected: undefined, invalid: [], flags: undefined }
  const { project, environment } = changeRequest
  const { changes, listed, replaces } = proposal
  const replaced = changeRequest.changes.find(({ id }) => id === replaces)
  const reading = currentFlags(services, subjectsOf({ project, environment }, changes))
  // Prevents an unhandled rejection: the error is thrown where the promise is awaited.
  reading.catch(() => undefined)
  const unknown = await unknownFeaturesError(services, project, changes)
  if (unknown !== undefined) return rejectedProposal(unknown)
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
    if (isRejectionByHook(error)) return rejectedProposal(error)
    throw error
  }
}

/** A proposal that a hook rejected with this error. */
export function rejectedProposal(rejected: ChangeRequestError): ProposalFacts {
  return { rejected, invalid: [], flags: undefined }
}
