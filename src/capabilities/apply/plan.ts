import type { ApplyCommand } from '../../domain/decisions/apply'
import type { FlagState } from '../../domain/flag-state'
import type { ApplyPreview } from '../../kernel/host/flag-state'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** An apply that passed all rules: its change request, author and flags. */
export interface Plan {
  readonly loaded: StoredChangeRequest
  readonly command: ApplyCommand & Required<Pick<ApplyCommand, 'record'>>
  readonly preview: ApplyPreview
}

/** Plans again with the flags that the transaction locked. Rejects if the changes cannot be applied to them. */
export type Replan = (flags: FlagState | undefined) => Promise<Plan>
