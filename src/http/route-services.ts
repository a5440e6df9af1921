import type { EventLists } from '../capabilities/log/list'
import type { SearchLimits } from '../capabilities/log/search-events'
import type { SubscriptionLimits } from '../capabilities/log/subscribe'
import type { Action } from '../generated/index'
import type { EventFeed } from '../kernel/events/event-feed'
import type { Services } from '../kernel/services'
import type { ViewOptions } from '../kernel/view/change-request'

/** What routes need besides the services of the operations. */
export interface RouteServices extends Services {
  readonly eventLists: EventLists
  readonly views: ViewOptions
  readonly changesPerRequest: number
  /** The actions that may be proposed; undefined for all. */
  readonly actions: readonly Action[] | undefined
  readonly searchLimits: SearchLimits
  /** Where subscribers of the log wait for new events. */
  readonly feed: EventFeed
  readonly subscriptionLimits: SubscriptionLimits
}
