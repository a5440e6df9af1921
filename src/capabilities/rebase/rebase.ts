import { rebase as decideRebase, type Takes } from '../../domain/decisions/rebase'
import { hashOf } from '../../kernel/digest'
import { changeLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import type { Caller } from '../../kernel/step/step-input'
import type { Reference } from '../../kernel/step/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** Rebases the changes onto the current flags (contract 16). */
export function rebase(services: Services, input: Caller & Reference, takes: Takes): Promise<StoredChangeRequest> {
  const limits = changeLimitsOf(services.options.limits)
  const changeIds = ({ changes }: { readonly changes: readonly unknown[] }) => changes.length
  return performStep(services, 'rebase', { ...input, changeIds }, (current, command) =>
    decideRebase(current, { ...command, takes, hash: hashOf, limits, changeIds: command.ids.changes }),
  )
}
