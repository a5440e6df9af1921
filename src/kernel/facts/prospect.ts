import type { ChangeRequest } from '../../domain/change-request'
import { type Outlook, presentOutlook } from '../flags/flag-state'
import type { Services } from '../services'
import { askPolicy, type Policy } from './policy'

/** What a decision on the present flags depends on. */
export interface Prospect {
  readonly outlook: Outlook
  readonly policy: Policy
}

/** What an application would carry out now, and what the host asks of its approvals. */
export async function prospectOf(services: Services, changeRequest: ChangeRequest): Promise<Prospect> {
  const [outlook, policy] = await Promise.all([
    presentOutlook(services, changeRequest),
    askPolicy(services, changeRequest),
  ])
  return { outlook, policy }
}
