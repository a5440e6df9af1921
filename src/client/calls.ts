import { changeRequestCalls, projectCalls } from './change-request-calls'
import { type EventFilter, eventCalls } from './event-calls'
import { type FollowOptions, followEvents } from './event-stream'
import { reviewCalls } from './review-calls'
import type { Sender } from './send'

/** The calls of the review page; exports are loaded with its event log. */
export function callsOf(sender: Sender) {
  return {
    ...reviewCalls(sender),
    ...changeRequestCalls(sender),
    ...projectCalls(sender),
    ...eventCalls(sender),
    /** New events; ends when `signal` aborts. @throws ClientError if a retry would not help */
    follow: (filter: EventFilter = {}, follow: FollowOptions = {}) => followEvents(sender, filter, follow),
  }
}
