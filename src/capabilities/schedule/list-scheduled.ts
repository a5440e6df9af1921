import { type ScheduledQuery, touches } from '../../domain/schedule/schedule-conflicts'
import type { Services } from '../../kernel/services'
import { mapPages, type Page, readPages } from '../../kernel/view/pages'
import type { Actor } from '../../ports/access'
import type { ChangeRequestFilter, StoredChangeRequest } from '../../ports/storage/change-requests'

interface ScheduledSearch extends ScheduledQuery {
  readonly actor: Actor
  readonly project: string
}

/** The scheduled change requests that change a target of the query; none for an empty query (contract 3.4). */
export async function* listScheduled(
  { storage }: Services,
  { actor, project, ...query }: ScheduledSearch,
): AsyncGenerator<Page<StoredChangeRequest>> {
  if (query.features.length + query.strategyIds.length + query.variantsOf.length === 0) {
    return yield { items: [], last: true }
  }
  const filter: ChangeRequestFilter = { projects: [project], states: ['Scheduled'], viewer: actor.id }
  const scheduled = readPages((page) => storage.list(filter, page))
  yield* mapPages(scheduled, (items) => items.filter(({ changeRequest }) => touches(changeRequest, query)))
}
