import type { ApplyCommand } from '../../domain/decisions/apply'
import type { FlagState } from '../../domain/flag-state'
import type { Outlook } from '../../kernel/flags/flag-state'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** What is applied, in whose name, and on which flags. */
export interface Plan {
  readonly loaded: StoredChangeRequest
  readonly command: ApplyCommand
  readonly outlook: Outlook
}

/** Plans again on the flags that the transaction of an apply locked. Rejects unless the plan may be applied to them. */
export type PlanOn = (flags: FlagState | undefined) => Promise<Plan>
