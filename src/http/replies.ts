import { entityTag } from '../kernel/etag'
import type { Services } from '../kernel/services'
import { toChangeRequestView, toListedView } from '../kernel/view/change-request'
import { type DescribedFor, describeAll, describeOne } from '../kernel/view/describe'
import { mapPages, type Page } from '../kernel/view/pages'
import type { StoredChangeRequest } from '../ports/storage/change-requests'
import { jsonPagesReply } from './json-pages'
import { emptyReply, jsonReply, type Reply } from './reply'

/** A change request that was read. If a hook fails, so does the request. */
export function viewRead(stored: StoredChangeRequest, services: Services): Promise<Reply> {
  return viewChangeRequest(stored, services, 'read')
}

/** A change request after a write, which is already committed: if a hook fails, only its details are left out. */
export function viewWritten(stored: StoredChangeRequest, services: Services): Promise<Reply> {
  return viewChangeRequest(stored, services, 'write')
}

async function viewChangeRequest(stored: StoredChangeRequest, services: Services, purpose: DescribedFor) {
  const described = await describeOne(services, stored, purpose)
  return jsonReply(toChangeRequestView(described, services.options), { ETag: entityTag(stored) })
}

/** The empty response of a write, with the entity tag of the change request (contract 2.4). */
export function viewEmpty(status: 200 | 204): (stored: StoredChangeRequest) => Reply {
  return (stored) => emptyReply(status, { ETag: entityTag(stored) })
}

/** A list of change requests, in the given order. */
export function viewList(pages: AsyncIterable<Page<StoredChangeRequest>>, services: Services): Promise<Reply> {
  return jsonPagesReply(mapPages(pages, async (items) => (await describeAll(services, items)).map(toListedView)))
}
