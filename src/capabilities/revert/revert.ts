import type { Author, ChangeRequest, NewChange } from '../../domain/change-request'
import { createChangeRequest, stored } from '../../domain/decisions/changes'
import { excessOfChanges } from '../../domain/content/size'
import { type Revert, revertOf, revertTitle } from '../../domain/diff/revert'
import { requireCaller, requireStep } from '../../domain/steps/steps'
import type { Missing } from '../../domain/steps/codes'
import type { StepFacts } from '../../domain/steps/facts'
import type { Actor } from '../../ports/access'
import type { StoredChangeRequest } from '../../ports/storage'
import { settleFirst } from '../../kernel/settle'
import { unknownFeatures } from '../proposals/add-changes'
import { type Caller, findVisible, loadProposal, type Reference } from '../../kernel/steps'
import { reachOf } from '../../kernel/facts/reach'
import { settingsIn } from '../settings/change-settings'
import { hashOf } from '../../kernel/flags/digest'
import { currentFlags, subjectsOf } from '../../kernel/flags/flag-state'
import { requirePerson } from '../../kernel/people/author'
import { gatherFacts } from '../../kernel/facts/step-facts'
import { refuseForeignSegments, validateUnsent } from '../../kernel/facts/validate'
import { decideInOrder, revisionMismatch } from '../../kernel/preconditions'
import { changeLimitsOf, now, type Services } from '../../kernel/services'

/** A new Draft of the caller that takes an applied change request back (extensions 6). */
export async function revert(
  services: Services,
  input: Caller & Reference,
  partial: boolean,
): Promise<StoredChangeRequest> {
  const { storage, writer } = services
  const { actor, idempotency } = input
  const found = await findVisible(services, input, actor)
  const { id, project, environment } = found.changeRequest
  const asked = await gatherFacts(services, actor, found.changeRequest, 'revert')
  requireCaller('revert', found.changeRequest, asked)
  const { changeRequest } = await settleFirst(services, found)
  const author = requirePerson(actor, input.ip, services)
  const gathered = await gatherRevert(services, actor, changeRequest)
  const changes = gathered.revert?.changes ?? []
  const [present, { gatedMinimum }] = await Promise.all([
    currentFlags(services, subjectsOf(changeRequest, changes)),
    reachOf(services, { project, environment, changes }),
  ])
  const key = { project, environment, userId: author.person.id }
  return writer.write(JSON.stringify(key), (count) => loadProposal(storage, key, count), {
    changeIds: changes.length,
    ...(idempotency === undefined ? {} : { idempotency }),
    decide(open, ids, stored) {
      const { changeRequestsEnabled, requiredApprovals: minApprovals } = settingsIn(services, stored)
      const facts = { ...asked, ...gathered, ...placeFacts(gathered, open, changeRequestsEnabled) }
      // The targets are those of what it takes back, which had room for them.
      const limits = { ...changeLimitsOf(services.settings), targetsBytes: Number.POSITIVE_INFINITY }
      const taken = { present, hash: hashOf, gatedMinimum }
      const proposal = { changes, changeIds: ids.changes, author, now: now(services), limits, ...taken }
      const linked = { title: revertTitle(changeRequest), reverts: id }
      const decide = () => {
        requireStep('revert', changeRequest, facts, { partial })
        return createChangeRequest({ id: ids.changeRequest, project, environment, minApprovals, ...linked }, proposal)
      }
      return decideInOrder(decide, revisionMismatch(input.ifMatch, found))
    },
  })
}

/** What a revert would propose. @throws ConflictError for what is not applied */
export async function previewRevert(services: Services, input: Pick<Caller, 'actor'> & Reference): Promise<Revert> {
  const { changeRequest } = await findVisible(services, input, input.actor)
  requireStep('previewRevert', changeRequest, await gatherFacts(services, input.actor, changeRequest, 'previewRevert'))
  return possibleRevert(services, changeRequest)
}

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
  if (segments.length === 0 || services.settings.globalSegments) return []
  const present = await currentFlags(services, subjectsOf({ project, environment }, segments))
  return refuseForeignSegments(services, segments, { project, present, listed: true })
}

/** Why they have no room in a change request of the author. */
function excessOf(services: Services, author: Author, changes: readonly NewChange[]): string | undefined {
  const proposal = { author, now: now(services), present: undefined, hash: hashOf }
  const proposed = changes.map((change) => stored(change, Number.MAX_SAFE_INTEGER, proposal))
  return excessOfChanges([], proposed, changeLimitsOf(services.settings))
}

/** Settings and proposals may change until it is decided. */
function placeFacts(
  { revert }: Pick<StepFacts, 'revert'>,
  open: StoredChangeRequest | undefined,
  enabled: boolean,
): Pick<StepFacts, 'revert' | 'otherOpen'> {
  return {
    ...(revert && { revert: { ...revert, off: !enabled } }),
    ...(open && { otherOpen: open.changeRequest.id }),
  }
}

async function possibleRevert(services: Services, changeRequest: ChangeRequest): Promise<Revert> {
  const gone = new Set(await unknownFeatures(services, changeRequest.project, changeRequest.changes))
  return revertOf(changeRequest, (change) => !gone.has(change.feature ?? '') && services.accepts(change))
}
