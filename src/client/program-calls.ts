import type { ActionableView, ChangeRequestCountsView, ChangeRequestView, SubmittedChange } from '../generated/index'
import type { Answer, CallOptions, WriteOptions } from './client-options'
import { type ChangeRequestPlace, changeRequestPath } from './review-calls'
import { path, type Sender } from './send'

type Written = Promise<Answer<ChangeRequestView>>
type Done = Promise<Answer<null>>

/** Calls that the review page does not need. */
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
    /** Replaces a change; the new one gets a new id. */
    editChange(place: ChangeRequestPlace, changeId: number, change: SubmittedChange, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'changes', String(changeId)), { method: 'PUT', body: change, ...options })
    },
    /** Replaces the requested approvers. */
    setApprovers(place: ChangeRequestPlace, reviewers: number[], options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'approvers'), { method: 'PUT', body: { reviewers }, ...options })
    },
    /** The number of change requests of a project, in total and by state. */
    counts(project: string, options?: CallOptions): Promise<Answer<ChangeRequestCountsView>> {
      return json(path('projects', project, 'change-requests', 'count'), options)
    },
    /** The number of change requests of a project that the caller can approve or apply now. */
    actionable(project: string, options?: CallOptions): Promise<Answer<ActionableView>> {
      return json(path('projects', project, 'change-requests', 'actionable'), options)
    },
  }
}
