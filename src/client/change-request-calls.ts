import type {
  ChangeRequestSearchView,
  ChangeRequestView,
  CommentSubmission,
  EnvironmentSettingsView,
  MeView,
  Rebase,
  RevertRequest,
  ReviewersView,
  ScheduleAheadRequest,
  SettingsUpdate,
  StateUpdate,
} from '../generated/index'
import type { Answer, CallOptions, WriteOptions } from './client-options'
import { type ChangeRequestPlace, changeRequestPath } from './review-calls'
import { path, type Sender } from './send'

/**
 * Filters of the change request search, in the format of the API.
 *
 * @example
 * ```ts
 * import type { ChangeRequestFilter } from 'express-change-requests/client'
 *
 * const filter: ChangeRequestFilter = { afterReview: 'IS:open', limit: 20 }
 * ```
 */
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
type Done = Promise<Answer<null>>

/** Reads, changes and decides change requests. */
export function changeRequestCalls({ json, once, retry }: Sender) {
  return {
    /** Reads a change request, with its changes, votes and comments. */
    changeRequest(place: ChangeRequestPlace, options?: CallOptions): Written {
      return json(changeRequestPath(place), options)
    },
    /**
     * Submits, approves, rejects, schedules, applies or cancels. A retry (`maxRetryMs`) reads first, because the server may have
     * failed after the commit: if the decision is stored, the change request is returned as it is now.
     */
    setState(place: ChangeRequestPlace, update: StateUpdate, options: WriteOptions = {}): Written {
      const send = (): Written => once(changeRequestPath(place, 'state'), { method: 'PUT', body: update, ...options })
      if (options.ifMatch === undefined) return send()
      return retry(async (isRepeat) => {
        if (!isRepeat) return send()
        const now = await once<ChangeRequestView>(changeRequestPath(place), { signal: options.signal })
        const { body: me } = await once<MeView>('/me', { signal: options.signal })
        // Otherwise `If-Match` decides: the server rejects a repeat on another revision.
        return isStored(update, now.body, me) ? now : send()
      }, options.signal)
    },
    /** Schedules before the approval: the last approval puts the schedule into effect. */
    scheduleAhead(place: ChangeRequestPlace, schedule: ScheduleAheadRequest, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'scheduling'), { method: 'PUT', body: schedule, ...options })
    },
    /** Withdraws such a schedule. */
    withdrawSchedule(place: ChangeRequestPlace, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'scheduling'), { method: 'DELETE', ...options })
    },
    /** Changes the title. */
    setTitle(place: ChangeRequestPlace, title: string, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'title'), { method: 'PUT', body: { title }, ...options })
    },
    /** Adds a comment on the change request, or on one of its changes. */
    comment(place: ChangeRequestPlace, comment: CommentSubmission, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'comments'), { method: 'POST', body: comment, ...options })
    },
    /** Removes a change. */
    discardChange(place: ChangeRequestPlace, changeId: number, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'changes', String(changeId)), { method: 'DELETE', ...options })
    },
    /** Deletes a draft with all of its changes. */
    discard(place: ChangeRequestPlace, options?: WriteOptions): Done {
      return json(changeRequestPath(place), { method: 'DELETE', ...options })
    },
    /** Reads from the flag gateway whether an interrupted apply succeeded, and stores the result. */
    settle(place: ChangeRequestPlace, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'settlement'), { method: 'POST', ...options })
    },
    /** Acknowledges an emergency apply. */
    acknowledge(place: ChangeRequestPlace, comment?: string, options?: WriteOptions): Written {
      const body = comment === undefined ? {} : { comment }
      return json(changeRequestPath(place, 'acknowledgement'), { method: 'POST', body, ...options })
    },
    /** Bases the changes on the current flags. Existing approvals become void. */
    rebase(place: ChangeRequestPlace, choice: Rebase = {}, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'rebase'), { method: 'POST', body: choice, ...options })
    },
    /** Creates a draft that reverts an applied change request; `partial` leaves out irreversible changes. */
    revert(place: ChangeRequestPlace, revert: RevertRequest = {}, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'revert'), { method: 'POST', body: revert, ...options })
    },
    /** Creates a draft with the changes of a closed change request. */
    copy(place: ChangeRequestPlace, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'copy'), { method: 'POST', ...options })
    },
    /** The requested approvers. */
    approvers(place: ChangeRequestPlace, options?: CallOptions): Promise<Answer<ReviewersView>> {
      return json(changeRequestPath(place, 'approvers'), options)
    },
    /** Users who can approve in an environment. */
    availableReviewers(project: string, environment: string, options?: CallOptions): Promise<Answer<ReviewersView>> {
      return json(path('projects', project, 'change-requests', 'available-reviewers', environment), options)
    },
    /** Change requests of all projects that the caller can read. */
    searchChangeRequests(
      filter: ChangeRequestFilter = {},
      options?: CallOptions,
    ): Promise<Answer<ChangeRequestSearchView>> {
      return json('/search/change-requests', { query: { ...filter }, ...options })
    },
  }
}

/** Whether the change request has the vote of the caller, or the state, that the update is to give it. */
function isStored(update: StateUpdate, now: ChangeRequestView, { id }: MeView): boolean {
  if (update.state === 'Approved') return now.approvals.some(({ createdBy }) => createdBy.id === id)
  if (update.state === 'Rejected') return now.rejections.some(({ createdBy }) => createdBy.id === id)
  if (update.state !== 'Scheduled') return now.state === update.state
  return 'schedule' in now && Date.parse(now.schedule.scheduledAt) === Date.parse(update.scheduledAt)
}

/** Settings of a project. */
export function projectCalls({ json }: Sender) {
  return {
    /** The settings of each environment of a project. */
    settings(project: string, options?: CallOptions): Promise<Answer<EnvironmentSettingsView[]>> {
      return json(path('projects', project, 'change-requests', 'config'), options)
    },
    /** Enables or disables change requests in an environment, and sets how many approvals they need. */
    updateSettings(project: string, environment: string, settings: SettingsUpdate, options?: WriteOptions): Done {
      const address = path('projects', project, 'environments', environment, 'change-requests', 'config')
      return json(address, { method: 'PUT', body: settings, ...options })
    },
  }
}
