import type { Place } from '../../domain/approval/approval-rule'
import { type Freeze, hasEnded } from '../../domain/freezes/freeze'
import { freezesOf } from '../../kernel/facts/freezes'
import { now, type Services } from '../../kernel/services'

/** The freezes of the project and environment that have not ended, by their beginning. */
export async function listFreezes(services: Services, place: Place): Promise<readonly Freeze[]> {
  const at = now(services)
  const freezes = await freezesOf(services, place)
  return freezes.filter((freeze) => !hasEnded(freeze, at)).sort(earliestFirst)
}

function earliestFirst({ from: one }: Freeze, { from: other }: Freeze): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
