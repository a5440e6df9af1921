import { type InboxSearch, readInbox } from '../../../src/capabilities/lists/reviews'
import type { Services } from '../../../src/kernel/services'
import { actors, type Who } from '../../kernel/support/fixture'

const everything: Omit<InboxSearch, 'actor'> = {
  needs: 'all',
  project: undefined,
  environment: undefined,
  state: undefined,
  author: undefined,
  feature: undefined,
  requested: undefined,
  text: undefined,
  order: 'newest',
  after: undefined,
  limit: 50,
}

/** The inbox of a user, by default all that they can read. */
export function inboxOf(
  { services }: { readonly services: Services },
  who: Who | InboxSearch['actor'],
  search: Partial<InboxSearch> = {},
) {
  return readInbox(services, { actor: typeof who === 'string' ? actors[who] : who, ...everything, ...search })
}
