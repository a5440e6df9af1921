import type { Action } from '../../generated/index'
import type { EventFeed } from '../../operations/events/event-feed'
import type { SearchLimits } from '../../operations/events/search-events'
import type { SubscriptionLimits } from '../../operations/events/subscribe'
import type { Services } from '../../operations/runtime/services'
import type { EventLists } from '../events/list'
import type { ViewOptions } from '../views/change-request'

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
