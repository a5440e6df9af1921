import type { ChangeRequest, Hold } from '../../domain/change-request'
import { summarize } from '../../domain/content/summary'
import { endHold, hold } from '../../domain/decisions/schedule'
import { nextCheck } from '../../domain/freezes/freeze'
import { now } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** Stores that a freeze delays the change request, and when the freezes are checked again. */
export async function storeHold(services: Services, found: StoredChangeRequest, held: Hold): Promise<'held'> {
  await store(services, found.version, hold(found.changeRequest, held), nextCheck(held, now(services)))
  return 'held'
}

/** Stores that nothing has delayed it since then. Its place among the due ones stays. */
export async function storeEndOfHold(
  services: Services,
  { version, changeRequest }: StoredChangeRequest,
  endedAt: string,
): Promise<StoredChangeRequest> {
  const ended = endHold(changeRequest, endedAt)
  await store(services, version, ended, null)
  return { version, changeRequest: ended }
}

async function store({ storage }: Services, version: number, changeRequest: ChangeRequest, dueAt: string | null) {
  await storage.hold({ version, changeRequest, summary: summarize(changeRequest), dueAt })
}
