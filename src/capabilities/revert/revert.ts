import { revertTitle } from '../../domain/content/title'
import { createChangeRequest } from '../../domain/decisions/changes'
import type { Revert } from '../../domain/diff/revert'
import { requireCaller, requireStep } from '../../domain/steps/steps'
import { reachOf } from '../../kernel/facts/reach'
import { gatherRevert, placeFacts, possibleRevert } from '../../kernel/facts/revert'
import { gatherFacts } from '../../kernel/facts/step-facts'
import { hashOf } from '../../kernel/flags/digest'
import { currentFlags, subjectsOf } from '../../kernel/flags/flag-state'
import { requirePerson } from '../../kernel/people/author'
import { decideInOrder, revisionMismatch } from '../../kernel/preconditions'
import { changeLimitsOf, now, type Services } from '../../kernel/services'
import { settingsIn } from '../../kernel/settings'
import { settleFirst } from '../../kernel/settle'
import { type Caller, loadProposal } from '../../kernel/steps'
import { findVisible, type Reference } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

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
      const limits = { ...changeLimitsOf(services.options.limits), targetsBytes: Number.POSITIVE_INFINITY }
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
