import { rebase as decideRebase, type Takes } from '../../domain/diff/rebase'
import type { StoredChangeRequest } from '../../ports/storage'
import { type Caller, type Reference, writeExisting } from '../change-requests/existing'
import { reachOf } from '../change-requests/reach'
import { hashOf } from '../flags/digest'
import { presentFlags } from '../flags/flag-state'
import { changeLimitsOf, type Services } from '../runtime/services'
import { otherOpen } from './other-open'

/** Puts the changes on the present flags (extensions 5). */
export async function rebase(
  services: Services,
  input: Caller & Reference,
  takes: Takes,
): Promise<StoredChangeRequest> {
  const limits = changeLimitsOf(services.settings)
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
