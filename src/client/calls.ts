import { changeRequestCalls, projectCalls } from './change-request-calls'
import { type EventFilter, eventCalls } from './event-calls'
import { type FollowOptions, followEvents } from './event-stream'
import { reviewCalls } from './review-calls'
import type { Sender } from './send'

/** What the review page calls; exports it loads with its log. */
export function callsOf(sender: Sender) {
  return {
    ...reviewCalls(sender),
    ...changeRequestCalls(sender),
    ...projectCalls(sender),
    ...eventCalls(sender),
    /** Events as they come; ends when `signal` aborts. @throws ClientError where asking again would not help */
    follow: (filter: EventFilter = {}, follow: FollowOptions = {}) => followEvents(sender, filter, follow),
  }
}
