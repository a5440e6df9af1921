import { approverSubject } from '../../domain/content/grouping'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import { closedStates } from '../../domain/lifecycle'
import { hasPermission } from '../../kernel/host/permissions'
import type { Services } from '../../kernel/services'
import { mapPages, type Page, readPages } from '../../kernel/view/pages'
import type { Actor } from '../../ports/access'
import type { ChangeRequestFilter, ListPage } from '../../ports/storage/change-requests'
import type { parseChangeRequestSearch } from '../../validation/queries/change-request-search'
import { describeSummaries } from './describe-summaries'
import { openOrScheduled } from './lists'

export type Search = ReturnType<typeof parseChangeRequestSearch> & { readonly actor: Actor }

/** Searches all projects that the caller can read (contract 3.8). */
export async function search(services: Services, input: Search) {
  const { storage } = services
  const filter: ChangeRequestFilter = {
    projects: await readableProjects(services, input.actor),
    ...(input.createdBy === null ? {} : { createdBy: input.createdBy }),
    ...(input.requestedApproverId === null ? {} : { subjects: [approverSubject(input.requestedApproverId)] }),
    ...(input.state === null ? {} : { states: input.state === 'open' ? openOrScheduled : closedStates }),
    ...(input.afterReview ? { afterReview: true } : {}),
    viewer: input.actor.id,
  }
  const counts = await storage.countByState(filter)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  // The offset counts from the start of the list, so only the first page has it.
  const offsetOf = (page: ListPage) => (page.after === undefined ? { offset: input.offset } : {})
  // Where nothing matches, a storage may compare everything to find out.
  const read = (page: ListPage) => storage.summaries(filter, { ...page, ...offsetOf(page) })
  const found = total === 0 ? nothing() : readPages(read, input.limit)
  return { pages: mapPages(found, (items) => describeSummaries(services, items)), total }
}

async function* nothing(): AsyncGenerator<Page<ChangeRequestSummary>> {
  yield { items: [], last: true }
}

/** The projects whose change requests the caller can read: all, or the one that is named. */
export async function readableProjects(services: Services, actor: Actor, named?: string): Promise<string[]> {
  const projects = named === undefined ? await services.storage.projects() : [named]
  const readable = await Promise.all(
    projects.map((project) => hasPermission(services, actor, 'READ_CHANGE_REQUEST', { project })),
  )
  return projects.filter((_, index) => readable[index])
}
