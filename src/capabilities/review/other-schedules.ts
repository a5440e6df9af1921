import type { ChangeRequest } from '../../domain/change-request'
import { changeSubject } from '../../domain/content/grouping'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import { closedStates } from '../../domain/lifecycle'
import type { Services } from '../../kernel/services'

const maxCount = 20
/** Bounds the work for a flag that very many scheduled change requests change. */
const readPage = { limit: 1_000, bytes: 1_048_576 }

/** The other scheduled change requests of the same flags or segments in the environment, the earliest first. */
export async function findOtherSchedules(
  { storage, options }: Pick<Services, 'storage' | 'options'>,
  { id, project, environment, state, changes }: ChangeRequest,
): Promise<readonly ChangeRequestSummary[]> {
  if (options.schedule === 'off' || closedStates.includes(state) || changes.length === 0) return []
  const subjects = [...new Set(changes.map(changeSubject))]
  const filter = { projects: [project], states: ['Scheduled'], subjects, viewer: null } as const
  const { items } = await storage.summaries(filter, readPage)
  const others = items.filter((one) => one.id !== id && one.environment === environment)
  return others.sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1)).slice(0, maxCount)
}

function timeOf({ schedule }: ChangeRequestSummary): string {
  return schedule?.scheduledAt ?? ''
}
