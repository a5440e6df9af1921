import { rebase as decideRebase, type Takes } from '../../domain/decisions/rebase'
import { otherOpen } from '../../kernel/facts/other-open'
import { reachOf } from '../../kernel/facts/reach'
import { hashOf } from '../../kernel/flags/digest'
import { presentFlags } from '../../kernel/flags/flag-state'
import { changeLimitsOf, type Services } from '../../kernel/services'
import { type Caller, writeExisting } from '../../kernel/steps'
import type { Reference } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** Puts the changes on the present flags (extensions 5). */
export async function rebase(
  services: Services,
  input: Caller & Reference,
  takes: Takes,
): Promise<StoredChangeRequest> {
  const limits = changeLimitsOf(services.options.limits)
  return writeExisting(services, input, {
    ...input,
    step: 'rebase',
    changeIds: ({ changeRequest }) => changeRequest.changes.length,
    async gather({ changeRequest }) {
      const [present, open, { gatedMinimum }] = await Promise.all([
        presentFlags(services, [changeRequest]),
        otherOpen(services, changeRequest),
        reachOf(services, changeRequest),
      ])
      return { present, open, gatedMinimum }
    },
    decide({ changeRequest }, occasion, { present, open, gatedMinimum }) {
      const facts = { ...occasion.facts, ...open }
      return decideRebase(changeRequest, {
        ...occasion,
        facts,
        takes,
        present,
        hash: hashOf,
        limits,
        gatedMinimum,
        changeIds: occasion.ids.changes,
      })
    },
  })
}
