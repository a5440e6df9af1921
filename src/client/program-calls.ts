import type {
  ActionableView,
  ChangeRequestCountsView,
  ChangeRequestSearchView,
  ChangeRequestView,
  MeView,
  ReviewersView,
  StateUpdate,
} from '../generated/index'
import type { Answer, CallOptions, WriteOptions } from './client-options'
import { type ChangeRequestPlace, changeRequestPath } from './review-calls'
import { changeRequest, path, type Sender } from './send'

/** Filters of the change request search, in the format of the API. */
export interface ChangeRequestFilter {
  /** `IS:` and the id of a user. */
  readonly createdBy?: string
  /** `IS:` and the id of a user who is requested as an approver. */
  readonly requestedApproverId?: string
  /** `IS:open` or `IS:closed`. */
  readonly state?: string
  /** `IS:open`: applied in an emergency and not acknowledged yet. */
  readonly afterReview?: string
  /** How many to skip. */
  readonly offset?: number
  /** Maximum number of results in a page. */
  readonly limit?: number
}

type Written = Promise<Answer<ChangeRequestView>>

/** Calls that the review page does not need, and the decisions with their retries, which it does itself. */
export function programCalls({ json, once, retry }: Sender) {
  return {
    /** Reads a change request, with its changes, votes and comments. */
    changeRequest(place: ChangeRequestPlace, options?: CallOptions): Written {
      return json(changeRequestPath(place), changeRequest, options)
    },
    /**
     * Submits, approves, rejects, schedules, applies or cancels. A retry (`maxRetryMs`) reads first, because the server may have
     * failed after the commit: if the decision is stored, the change request is returned as it is now.
     */
    setState(place: ChangeRequestPlace, update: StateUpdate, options: WriteOptions = {}): Written {
      const send = (): Written =>
        once(changeRequestPath(place, 'state'), changeRequest, { method: 'PUT', body: update, ...options })
      if (options.ifMatch === undefined) return send()
      return retry(async (isRepeat) => {
        if (!isRepeat) return send()
        const now = await once(changeRequestPath(place), changeRequest, { signal: options.signal })
        const { body: me } = await once<MeView>('/me', { property: 'groups' }, { signal: options.signal })
        // Otherwise `If-Match` decides: the server rejects a repeat on another revision.
        return isStored(update, now.body, me) ? now : send()
      }, options.signal)
    },
    /** The requested approvers. */
    approvers(place: ChangeRequestPlace, options?: CallOptions): Promise<Answer<ReviewersView>> {
      return json(changeRequestPath(place, 'approvers'), { property: 'reviewers' }, options)
    },
    /** The number of change requests of a project, in total and by state. */
    counts(project: string, options?: CallOptions): Promise<Answer<ChangeRequestCountsView>> {
      return json(path('projects', project, 'change-requests', 'count'), { property: 'total' }, options)
    },
    /** The number of change requests of a project that the caller can approve or apply now. */
    actionable(project: string, options?: CallOptions): Promise<Answer<ActionableView>> {
      return json(path('projects', project, 'change-requests', 'actionable'), { property: 'total' }, options)
    },
    /** Change requests of all projects that the caller can read. */
    searchChangeRequests(
      filter: ChangeRequestFilter = {},
      options?: CallOptions,
    ): Promise<Answer<ChangeRequestSearchView>> {
      return json('/search/change-requests', { property: 'changeRequests' }, { query: { ...filter }, ...options })
    },
  }
}

/** Whether the change request has the vote of the caller, or the state, that the update is to give it. */
function isStored(update: StateUpdate, now: ChangeRequestView, { id }: MeView): boolean {
  if (update.state === 'Approved') return now.approvals.some(({ createdBy }) => createdBy.id === id)
  if (update.state === 'Rejected') return now.rejections.some(({ createdBy }) => createdBy.id === id)
  if (update.state !== 'Scheduled') return now.state === update.state
  if (update.scheduledAt === undefined) return false
  return 'schedule' in now && Date.parse(now.schedule.scheduledAt) === Date.parse(update.scheduledAt)
}
