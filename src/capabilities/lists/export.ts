import type { ChangeRequest, Person } from '../../domain/change-request'
import type { Reply } from '../../http/reply'
import { findPeople, idsInDirectory } from '../../kernel/host/find-users'
import { createPermissionCheck, requirePermission } from '../../kernel/host/permissions'
import type { Services } from '../../kernel/services'
import { peopleOf } from '../../kernel/view/describe'
import { pageBytes, pageItems } from '../../kernel/view/pages'
import type { Actor } from '../../ports/access'
import type { ListedById, UpdatedFilter } from '../../ports/storage/change-requests'
import type { parseChangeRequestExport } from '../../validation/queries/change-request-export'
import { toExportedView } from './export-view'
import { readableProjects } from './search'

export type ChangeRequestExport = ReturnType<typeof parseChangeRequestExport> & { readonly actor: Actor }

/** The lines of a page, and the ids of its first and last one. */
interface ExportedPage {
  readonly ids: readonly number[]
  readonly lines: string
}

interface OpenedExport {
  readonly first: IteratorResult<ExportedPage>
  readonly rest: AsyncGenerator<ExportedPage>
  readonly requested: ChangeRequestExport['requested']
}

/** Reads the first page: while nothing is sent, a failure can become an error response. */
export async function openExport(
  services: Services,
  { actor, after, projects: named, range, requested }: ChangeRequestExport,
): Promise<OpenedExport> {
  const hasPermission = createPermissionCheck(services, actor)
  for (const project of named ?? []) await requirePermission(hasPermission, 'READ_CHANGE_REQUEST', { project })
  const projects = named ?? (await readableProjects(services, actor))
  const rest = readAll(services, { ...range, projects }, after)
  return { first: await rest.next(), rest, requested }
}

async function* readAll(services: Services, filter: UpdatedFilter, start: number): AsyncGenerator<ExportedPage> {
  for (let after: number | null = start; after !== null; ) {
    const page: ListedById = await services.storage.listById(filter, { after, limit: pageItems, bytes: pageBytes })
    yield await toLines(services, page)
    after = page.next
  }
}

/** Names are looked up once for the whole page. */
async function toLines(services: Services, { items }: ListedById): Promise<ExportedPage> {
  const people = await findPeople(
    services,
    items.flatMap(({ changeRequest }) => [...idsInDirectory(everyoneIn(changeRequest))]),
  )
  return {
    ids: items.map(({ changeRequest }) => changeRequest.id),
    lines: items.map((item) => `${JSON.stringify(toExportedView(item, { people }))}\n`).join(''),
  }
}

function* everyoneIn(changeRequest: ChangeRequest): Generator<Person> {
  yield* peopleOf(changeRequest)
  if (changeRequest.scheduling !== undefined) yield changeRequest.scheduling.by.person
}

/** A file that ends with a trailer. A file without its trailer is incomplete. */
export function viewExport(opened: OpenedExport): Reply {
  return {
    status: 200,
    headers: {
      'Cache-Control': 'no-store',
      Vary: 'Authorization',
      'Content-Disposition': 'attachment; filename="change-requests.ndjson"',
    },
    type: 'application/x-ndjson',
    stream: exported(opened),
  }
}

async function* exported({ first, rest, requested: filter }: OpenedExport): AsyncGenerator<Uint8Array[]> {
  let [count, firstId, lastId]: [number, number | null, number | null] = [0, null, null]
  for (let next = first; next.done !== true; next = await rest.next()) {
    const { ids, lines } = next.value
    count += ids.length
    firstId ??= ids[0] ?? null
    lastId = ids.at(-1) ?? lastId
    // Yields to other requests, even after a page without a match.
    yield [Buffer.from(lines)]
  }
  yield [Buffer.from(`${JSON.stringify({ trailer: { count, firstId, lastId, filter } })}\n`)]
}
