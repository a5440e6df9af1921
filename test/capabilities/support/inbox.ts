import { type InboxSearch, readInbox } from '../../../src/capabilities/lists/reviews'
import type { Services } from '../../../src/kernel/services'
import { createQueryReader } from '../../../src/validation/queries/query-reader'
import { parseReviewSearch } from '../../../src/validation/queries/review-search'
import { actors, type Who } from '../../kernel/support/fixture'

/** The inbox of a user, by default all that they can read. */
export function inboxOf(
  { services }: { readonly services: Services },
  who: Who | InboxSearch['actor'],
  search: Partial<InboxSearch> = {},
) {
  const everything = parseReviewSearch(createQueryReader(new URLSearchParams()))
  return readInbox(services, { actor: typeof who === 'string' ? actors[who] : who, ...everything, ...search })
}
