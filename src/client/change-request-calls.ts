import type {
  ChangeRequestSearchView,
  ChangeRequestView,
  CommentSubmission,
  EnvironmentSettingsView,
  Rebase,
  RevertRequest,
  ReviewersView,
  SettingsUpdate,
  StateUpdate,
} from '../generated/index'
import type { Answer, CallOptions, WriteOptions } from './client-options'
import { type ChangeRequestPlace, changeRequestPath } from './review-calls'
import { path, type Sender } from './send'

/**
 * Filters of the search of change requests, in the form of the interface.
 *
 * @example
 * ```ts
 * import type { ChangeRequestFilter } from 'express-change-requests/client'
 *
 * const filter: ChangeRequestFilter = { afterReview: 'IS:open', limit: 20 }
 * ```
 */
export interface ChangeRequestFilter {
  /** `IS:` and the number of a user. */
  readonly createdBy?: string
  /** `IS:` and the number of a user who is asked to approve. */
  readonly requestedApproverId?: string
  /** `IS:` and a state, or `IS_ANY_OF:` and several. */
  readonly state?: string
  /** `IS:open`: applied in an emergency, and not looked at since. */
  readonly afterReview?: string
  /** How many are left out. */
  readonly offset?: number
  /** How many a page has at most. */
  readonly limit?: number
}

type Written = Promise<Answer<ChangeRequestView>>
type Done = Promise<Answer<null>>

/** The change request and every step of its life. */
export function changeRequestCalls({ json }: Sender) {
  return {
    /** Reads a change request, with its changes, votes and comments. */
    changeRequest(place: ChangeRequestPlace, options?: CallOptions): Written {
      return json(changeRequestPath(place), options)
    },
    /** Submits, approves, rejects, schedules, applies or cancels. */
    setState(place: ChangeRequestPlace, update: StateUpdate, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'state'), { method: 'PUT', body: update, ...options })
    },
    /** Renames it. */
    setTitle(place: ChangeRequestPlace, title: string, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'title'), { method: 'PUT', body: { title }, ...options })
    },
    /** Comments on it, or on one of its changes. */
    comment(place: ChangeRequestPlace, comment: CommentSubmission, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'comments'), { method: 'POST', body: comment, ...options })
    },
    /** Takes a change out of it. */
    discardChange(place: ChangeRequestPlace, changeId: number, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'changes', String(changeId)), { method: 'DELETE', ...options })
    },
    /** Deletes a draft, with all of its changes. */
    discard(place: ChangeRequestPlace, options?: WriteOptions): Done {
      return json(changeRequestPath(place), { method: 'DELETE', ...options })
    },
    /** Asks the flag gateway whether an interrupted apply succeeded, and stores the answer. */
    settle(place: ChangeRequestPlace, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'settlement'), { method: 'POST', ...options })
    },
    /** The second look after an emergency. */
    acknowledge(place: ChangeRequestPlace, comment?: string, options?: WriteOptions): Written {
      const body = comment === undefined ? {} : { comment }
      return json(changeRequestPath(place, 'acknowledgement'), { method: 'POST', body, ...options })
    },
    /** Bases the changes on the present flags; approvals are void afterwards. */
    rebase(place: ChangeRequestPlace, choice: Rebase = {}, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'rebase'), { method: 'POST', body: choice, ...options })
    },
    /** Makes a draft that takes an applied change request back; `partial` leaves out what has no inverse. */
    revert(place: ChangeRequestPlace, revert: RevertRequest = {}, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'revert'), { method: 'POST', body: revert, ...options })
    },
    /** Who was asked to approve it. */
    approvers(place: ChangeRequestPlace, options?: CallOptions): Promise<Answer<ReviewersView>> {
      return json(changeRequestPath(place, 'approvers'), options)
    },
    /** Who may approve in an environment. */
    availableReviewers(project: string, environment: string, options?: CallOptions): Promise<Answer<ReviewersView>> {
      return json(path('projects', project, 'change-requests', 'available-reviewers', environment), options)
    },
    /** Change requests of all projects that the caller may see. */
    searchChangeRequests(
      filter: ChangeRequestFilter = {},
      options?: CallOptions,
    ): Promise<Answer<ChangeRequestSearchView>> {
      return json('/search/change-requests', { query: { ...filter }, ...options })
    },
  }
}

/** Where the changes of a project take a review. */
export function projectCalls({ json }: Sender) {
  return {
    /** The settings of each environment of a project. */
    settings(project: string, options?: CallOptions): Promise<Answer<EnvironmentSettingsView[]>> {
      return json(path('projects', project, 'change-requests', 'config'), options)
    },
    /** Switches change requests on or off in an environment, and sets how many approvals they need. */
    updateSettings(project: string, environment: string, settings: SettingsUpdate, options?: WriteOptions): Done {
      const address = path('projects', project, 'environments', environment, 'change-requests', 'config')
      return json(address, { method: 'PUT', body: settings, ...options })
    },
  }
}
