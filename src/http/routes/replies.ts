import { type Describes, describeAll, describeOne } from '../../operations/change-requests/describe'
import { entityTag } from '../../operations/runtime/etag'
import { mapPages, type Page } from '../../operations/runtime/pages'
import type { StoredChangeRequest } from '../../ports/storage'
import type { User } from '../../ports/users'
import { jsonPagesReply } from '../pipeline/json-pages'
import { jsonReply, type Reply } from '../pipeline/reply'
import { toChangeRequestView, toListedView, toReviewerView } from '../views/change-request'
import type { RouteServices } from './route'

/** One change request with its entity tag. */
export async function changeRequestReply(
  services: RouteServices,
  stored: StoredChangeRequest,
  describes: Describes,
): Promise<Reply> {
  const described = await describeOne(services, stored, describes)
  return jsonReply(toChangeRequestView(described, services.views), { ETag: entityTag(stored) })
}

/** Change requests in their order. */
export async function listReply(
  services: RouteServices,
  pages: AsyncIterable<Page<StoredChangeRequest>>,
): Promise<Reply> {
  return jsonPagesReply(mapPages(pages, async (items) => (await describeAll(services, items)).map(toListedView)))
}

/** People who may approve, or were asked to. */
export function reviewersReply({ settings }: RouteServices, users: readonly User[]): Reply {
  return jsonReply({ reviewers: users.map((user) => toReviewerView(user, settings)) })
}

/** 200 or 204 without a body. */
export function emptyReply(status: 200 | 204): Reply {
  return { status, headers: { 'Cache-Control': 'no-store' }, ...(status === 200 ? { body: '' } : {}) }
}
