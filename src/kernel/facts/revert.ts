import type { Author, ChangeRequest, NewChange } from '../../domain/change-request'
import { excessOfChanges } from '../../domain/content/size'
import { stored } from '../../domain/decisions/changes'
import { type Revert, revertOf } from '../../domain/diff/revert'
import type { Missing } from '../../domain/steps/codes'
import type { StepFacts } from '../../domain/steps/facts'
import type { Actor } from '../../ports/access'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { hashOf } from '../flags/digest'
import { currentFlags, subjectsOf } from '../flags/flag-state'
import { requirePerson } from '../people/author'
import { changeLimitsOf, now, type Services } from '../services'
import { settingsIn } from '../settings'
import { unknownFeatures } from './unknown-flags'
import { refuseForeignSegments, validateUnsent } from './validate'

/** What is known about reverting it; nothing of what is not applied. */
export async function gatherRevert(
  services: Services,
  actor: Actor,
  changeRequest: ChangeRequest,
): Promise<Pick<StepFacts, 'revert' | 'otherOpen'>> {
  const { project, environment, state } = changeRequest
  if (state !== 'Applied') return {}
  const { changes, irreversible } = await possibleRevert(services, changeRequest)
  const [found, foreign, place] = await Promise.all([
    validateUnsent(services, changes, { project, environment, actor }),
    foreignSegmentsOf(services, changeRequest, changes),
    actor.id === null ? undefined : services.storage.loadProposal({ project, environment, userId: actor.id }, 0),
  ])
  const enabled = settingsIn(services, place?.settings).changeRequestsEnabled
  const invalid = [...found, ...foreign.map(({ code, message }): Missing => ({ code, message }))]
  const excess = actor.id === null ? undefined : excessOf(services, requirePerson(actor, undefined, services), changes)
  return placeFacts({ revert: { changes, irreversible, invalid, off: false, excess } }, place?.open, enabled)
}

/** The gateway is asked about segments alone. */
async function foreignSegmentsOf(
  services: Services,
  { project, environment }: ChangeRequest,
  changes: readonly NewChange[],
): Promise<readonly Missing[]> {
  const segments = changes.filter(({ feature }) => feature === null)
  if (segments.length === 0 || services.options.globalSegments) return []
  const present = await currentFlags(services, subjectsOf({ project, environment }, segments))
  return refuseForeignSegments(services, segments, { project, present, listed: true })
}

/** Why they have no room in a change request of the author. */
function excessOf(services: Services, author: Author, changes: readonly NewChange[]): string | undefined {
  const proposal = { author, now: now(services), present: undefined, hash: hashOf }
  const proposed = changes.map((change) => stored(change, Number.MAX_SAFE_INTEGER, proposal))
  return excessOfChanges([], proposed, changeLimitsOf(services.options.limits))
}

/** Settings and proposals may change until it is decided. */
export function placeFacts(
  { revert }: Pick<StepFacts, 'revert'>,
  open: StoredChangeRequest | undefined,
  enabled: boolean,
): Pick<StepFacts, 'revert' | 'otherOpen'> {
  return {
    ...(revert && { revert: { ...revert, off: !enabled } }),
    ...(open && { otherOpen: open.changeRequest.id }),
  }
}

export async function possibleRevert(services: Services, changeRequest: ChangeRequest): Promise<Revert> {
  const gone = new Set(await unknownFeatures(services, changeRequest.project, changeRequest.changes))
  return revertOf(changeRequest, (change) => !gone.has(change.feature ?? '') && services.accepts(change))
}
