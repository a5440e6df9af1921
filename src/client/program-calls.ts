import type { ActionableView, ChangeRequestCountsView, ChangeRequestView, SubmittedChange } from '../generated/index'
import type { Answer, CallOptions, WriteOptions } from './client-options'
import { type ChangeRequestPlace, changeRequestPath } from './review-calls'
import { path, type Sender } from './send'

type Written = Promise<Answer<ChangeRequestView>>
type Done = Promise<Answer<null>>

/** What the review page leaves to the pages of flags, and to programs. */
export function programCalls({ json }: Sender) {
  return {
    /** Adds changes to the caller's open change request there, or to a new draft. */
    propose(
      place: { readonly project: string; readonly environment: string },
      changes: SubmittedChange | readonly SubmittedChange[],
      options?: WriteOptions,
    ): Written {
      const address = path('projects', place.project, 'environments', place.environment, 'change-requests')
      return json(address, { method: 'POST', body: changes, ...options })
    },
    /** Replaces a change by another one, which gets a new number. */
    editChange(place: ChangeRequestPlace, changeId: number, change: SubmittedChange, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'changes', String(changeId)), { method: 'PUT', body: change, ...options })
    },
    /** Asks these users to approve, and nobody else any more. */
    setApprovers(place: ChangeRequestPlace, reviewers: number[], options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'approvers'), { method: 'PUT', body: { reviewers }, ...options })
    },
    /** How many change requests a project has, in all and by state. */
    counts(project: string, options?: CallOptions): Promise<Answer<ChangeRequestCountsView>> {
      return json(path('projects', project, 'change-requests', 'count'), options)
    },
    /** How many change requests of a project the caller could approve or apply now. */
    actionable(project: string, options?: CallOptions): Promise<Answer<ActionableView>> {
      return json(path('projects', project, 'change-requests', 'actionable'), options)
    },
  }
}
