import type {
  ChangeRequestView,
  CheckReportSubmission,
  ChecksView,
  CommentSubmission,
  CustomFieldsUpdate,
  EnvironmentSettingsView,
  ObjectionRequest,
  PresetScheduleRequest,
  Rebase,
  RevertRequest,
  ReviewersView,
  SettingsUpdate,
  StateUpdate,
  WrittenCustomFieldsView,
} from '../generated/index'
import type { Answer, CallOptions, WriteOptions } from './client-options'
import { type ChangeRequestPlace, changeRequestPath } from './review-calls'
import { changeRequest, done, path, type Sender, written } from './send'

type Written = Promise<Answer<ChangeRequestView>>
type Checked = Promise<Answer<ChecksView>>
type Done = Promise<Answer<null>>

/** Reads, changes and decides change requests. */
export function changeRequestCalls({ json, once }: Sender) {
  return {
    /** Submits, approves, rejects, schedules, applies or cancels. Never repeated: a repeat has to read first. */
    setState(place: ChangeRequestPlace, update: StateUpdate, options?: WriteOptions): Written {
      return once(changeRequestPath(place, 'state'), changeRequest, { method: 'PUT', body: update, ...options })
    },
    /** Schedules before the approval: the last approval puts the schedule into effect. */
    presetSchedule(place: ChangeRequestPlace, schedule: PresetScheduleRequest, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'scheduling'), changeRequest, { method: 'PUT', body: schedule, ...options })
    },
    /** Withdraws such a schedule. */
    withdrawPresetSchedule(place: ChangeRequestPlace, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'scheduling'), written, { method: 'DELETE', ...options })
    },
    /** Changes the title. */
    setTitle(place: ChangeRequestPlace, title: string, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'title'), written, { method: 'PUT', body: { title }, ...options })
    },
    /** Replaces the values of all custom fields. */
    setCustomFields(
      place: ChangeRequestPlace,
      values: CustomFieldsUpdate,
      options?: WriteOptions,
    ): Promise<Answer<WrittenCustomFieldsView>> {
      const address = changeRequestPath(place, 'custom-fields')
      return json(address, { hasTag: true, property: 'customFields' }, { method: 'PUT', body: values, ...options })
    },
    /** Adds a comment on the change request, or on one of its changes. */
    comment(place: ChangeRequestPlace, comment: CommentSubmission, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'comments'), written, { method: 'POST', body: comment, ...options })
    },
    /** Replaces the text of a comment of the caller. */
    editComment(place: ChangeRequestPlace, commentId: number, text: string, options?: WriteOptions): Done {
      return json(commentPath(place, commentId), written, { method: 'PUT', body: { text }, ...options })
    },
    /** Deletes a comment of the caller. */
    deleteComment(place: ChangeRequestPlace, commentId: number, options?: WriteOptions): Done {
      return json(commentPath(place, commentId), written, { method: 'DELETE', ...options })
    },
    /** Resolves a comment, or opens it again. */
    resolveComment(place: ChangeRequestPlace, commentId: number, resolved: boolean, options?: WriteOptions): Done {
      const address = commentPath(place, commentId, 'resolution')
      return json(address, written, { method: 'PUT', body: { resolved }, ...options })
    },
    /** Removes a change. */
    discardChange(place: ChangeRequestPlace, changeId: number, options?: WriteOptions): Done {
      const address = changeRequestPath(place, 'changes', String(changeId))
      return json(address, { hasTag: true }, { method: 'DELETE', ...options })
    },
    /** Deletes a draft with all of its changes. */
    discard(place: ChangeRequestPlace, options?: WriteOptions): Done {
      return json(changeRequestPath(place), {}, { method: 'DELETE', ...options })
    },
    /** Reads from the flag gateway whether an interrupted apply succeeded, and stores the result. */
    settle(place: ChangeRequestPlace, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'settlement'), changeRequest, { method: 'POST', ...options })
    },
    /** Objects: the change request cannot be applied until the objection ends. Replaces an open one of the caller. */
    object(place: ChangeRequestPlace, objection: ObjectionRequest, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'objection'), written, { method: 'PUT', body: objection, ...options })
    },
    /** Lifts the open objection of the caller. */
    liftObjection(place: ChangeRequestPlace, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'objection'), written, { method: 'DELETE', ...options })
    },
    /** Dismisses the objection of another user. Only an ADMIN who is not an author can do this. */
    dismissObjection(place: ChangeRequestPlace, objectionId: number, reason: string, options?: WriteOptions): Done {
      const address = changeRequestPath(place, 'objections', String(objectionId), 'dismissal')
      return json(address, written, { method: 'POST', body: { reason }, ...options })
    },
    /** Takes back the approval of the caller. */
    takeBackApproval(place: ChangeRequestPlace, options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'approval'), written, { method: 'DELETE', ...options })
    },
    /** Acknowledges an emergency apply. */
    acknowledge(place: ChangeRequestPlace, comment?: string, options?: WriteOptions): Written {
      const body = comment === undefined ? {} : { comment }
      return json(changeRequestPath(place, 'acknowledgement'), changeRequest, { method: 'POST', body, ...options })
    },
    /** Reports the result of a check for the content with the digest. */
    reportCheck(
      place: ChangeRequestPlace,
      name: string,
      report: CheckReportSubmission,
      options?: WriteOptions,
    ): Checked {
      const success = { hasTag: true, property: 'checks' } as const
      return json(changeRequestPath(place, 'checks', name), success, { method: 'PUT', body: report, ...options })
    },
    /** Bases the changes on the current flags. Existing approvals become void. */
    rebase(place: ChangeRequestPlace, choice: Rebase = {}, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'rebase'), changeRequest, { method: 'POST', body: choice, ...options })
    },
    /** Creates a draft that reverts an applied change request; `partial` leaves out irreversible changes. */
    revert(place: ChangeRequestPlace, revert: RevertRequest = {}, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'revert'), changeRequest, { method: 'POST', body: revert, ...options })
    },
    /** Creates a draft with the changes of a closed change request. */
    copy(place: ChangeRequestPlace, options?: WriteOptions): Written {
      return json(changeRequestPath(place, 'copy'), changeRequest, { method: 'POST', ...options })
    },
    /** Replaces the requested approvers. */
    setApprovers(place: ChangeRequestPlace, reviewers: number[], options?: WriteOptions): Done {
      return json(changeRequestPath(place, 'approvers'), written, { method: 'PUT', body: { reviewers }, ...options })
    },
    /** Users who can approve in an environment. */
    availableReviewers(project: string, environment: string, options?: CallOptions): Promise<Answer<ReviewersView>> {
      const address = path('projects', project, 'change-requests', 'available-reviewers', environment)
      return json(address, { property: 'reviewers' }, options)
    },
  }
}

function commentPath(place: ChangeRequestPlace, commentId: number, ...below: string[]): string {
  return changeRequestPath(place, 'comments', String(commentId), ...below)
}

/** Settings of a project. */
export function projectCalls({ json }: Sender) {
  return {
    /** The settings of each environment of a project. */
    settings(project: string, options?: CallOptions): Promise<Answer<EnvironmentSettingsView[]>> {
      return json(path('projects', project, 'change-requests', 'config'), { property: 'length' }, options)
    },
    /** Enables or disables change requests in an environment, and sets how many approvals they need. */
    updateSettings(project: string, environment: string, settings: SettingsUpdate, options?: WriteOptions): Done {
      const address = path('projects', project, 'environments', environment, 'change-requests', 'config')
      return json(address, done, { method: 'PUT', body: settings, ...options })
    },
  }
}
