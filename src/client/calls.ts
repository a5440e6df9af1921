import { changeRequestCalls, projectCalls } from './change-request-calls'
import { type EventQuery, eventCalls } from './event-calls'
import { type FollowOptions, followEvents } from './event-stream'
import { reviewCalls } from './review-calls'
import type { Sender } from './send'

/** The calls of the review page. An interface, so that editors show the comments of its members. */
export interface Calls
  extends ReturnType<typeof reviewCalls>,
    ReturnType<typeof changeRequestCalls>,
    ReturnType<typeof projectCalls>,
    ReturnType<typeof eventCalls> {
  /** New events; ends when `signal` aborts. @throws ClientError if a retry would not help */
  follow(filter?: EventQuery, follow?: FollowOptions): ReturnType<typeof followEvents>
}

/** Exports are loaded with the event log of the page. */
export function callsOf(sender: Sender): Calls {
  return {
    ...reviewCalls(sender),
    ...changeRequestCalls(sender),
    ...projectCalls(sender),
    ...eventCalls(sender),
    follow: (filter = {}, follow = {}) => followEvents(sender, filter, follow),
  }
}
