import { revertTitle } from '../../domain/content/title'
import { createChangeRequest } from '../../domain/decisions/changes'
import { restoresOf } from '../../domain/diff/restoring'
import type { Revert } from '../../domain/diff/revert'
import { requireStep } from '../../domain/steps/steps'
import { hashOf } from '../../kernel/digest'
import { gathererFor } from '../../kernel/facts/gather'
import { changeLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import type { Caller } from '../../kernel/step/step-input'
import { findVisible, type Reference } from '../../kernel/step/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** Creates a Draft of the caller that reverts an applied change request (contract 17). */
export async function revert(
  services: Services,
  input: Caller & Reference,
  partial: boolean,
): Promise<StoredChangeRequest> {
  const found = await findVisible(services, input, input.actor)
  const { project, environment } = found.changeRequest
  const place = { project, environment }
  // The targets are those of the reverted change request, so they are within the limit.
  const limits = { ...changeLimitsOf(services.options.limits), targetsBytes: Number.POSITIVE_INFINITY }
  const reverting = {
    ...input,
    found,
    createsIn: place,
    changeIds: (_: unknown, { revert }: { readonly revert?: Revert | undefined }) => revert?.changes.length ?? 0,
  }
  return performStep(services, 'revert', reverting, (current, { by: { author }, now, facts, ids }) => {
    requireStep('revert', current, facts, { partial })
    const { flags, gatedMinimum } = facts.revertOrigin
    const link = { reverts: current.id }
    const changes = facts.revert?.changes ?? []
    const restores = restoresOf(changes, hashOf)
    const fresh = { ...place, id: ids.changeRequest, title: revertTitle(current), ...link, restores }
    const command = {
      facts: { ...facts, proposal: { rejected: undefined, invalid: [], flags }, gatedMinimum },
      changes,
      changeIds: ids.changes,
      ...{ author, now, limits, hash: hashOf },
    }
    return createChangeRequest(fresh, command, link)
  })
}

/** The changes that a revert would propose. @throws ConflictError unless the change request is applied */
export async function previewRevert(services: Services, input: Pick<Caller, 'actor'> & Reference): Promise<Revert> {
  const { actor } = input
  const { changeRequest } = await findVisible(services, input, actor)
  requireStep('previewRevert', changeRequest, {}, {})
  return (await gathererFor(services, actor, changeRequest).get('possibleRevert')) as Revert
}
