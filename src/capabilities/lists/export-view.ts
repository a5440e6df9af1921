import type { ChangeRequest, CheckReport, Vote } from '../../domain/change-request'
import { shownTitle } from '../../domain/content/title'
import { requirementsOf } from '../../domain/steps/requirements'
import type {
  ExportedChangeRequestView,
  ExportedCheckView,
  ExportedCommentView,
  ExportedEmergencyView,
  ExportedScheduleView,
  ExportedVoteView,
} from '../../generated/index'
import { type People, toAuthorView, toPersonView } from '../../kernel/host/person-views'
import { toRequirementView } from '../../kernel/view/change-request'
import {
  toCommentView,
  toEmergencyView,
  toEndingView,
  toObjectionView,
  toVoidedView,
} from '../../kernel/view/stored-parts'
import type { LoggedChangeRequest } from '../../ports/storage/change-requests'

/** What is stored about a change request, with the current names of its users. */
export function toExportedView(
  { changeRequest, lastEventId }: LoggedChangeRequest,
  people: People,
): ExportedChangeRequestView {
  const { id, project, environment, state, createdAt, updatedAt, createdBy, changes, comments } = changeRequest
  const { voidedApprovals = [], objections = [], customFields = [] } = changeRequest
  return {
    ...{ id, project, environment, title: shownTitle(changeRequest), state, createdAt, updatedAt },
    author: toAuthorView(createdBy, people),
    changes: changes.map(({ id, action, feature, payload, createdBy, createdAt, replaces = null }) => {
      return { id, action, feature, payload, author: toAuthorView(createdBy, people), createdAt, replaces }
    }),
    votes: toVoteViews(changeRequest, people),
    voidedApprovals: voidedApprovals.map((one) => toVoidedView(one, people)),
    requirements: toRequirementViews(changeRequest, people),
    objections: objections.map((one) => toObjectionView(one, people)),
    checks: toCheckViews(changeRequest, people),
    customFields: customFields.map(({ name, value, by, at }) => ({
      name,
      value,
      person: toPersonView(by, people),
      at,
    })),
    discussion: comments.map((comment): ExportedCommentView => {
      const { createdBy: _, ...view } = toCommentView(comment, people)
      return view
    }),
    schedule: toScheduleView(changeRequest, people),
    emergency: toEmergency(changeRequest, people),
    ended: toEndingView(changeRequest, people),
    lastEvent: lastEventId === 0 ? null : lastEventId,
  }
}

function toVoteViews({ approvals, rejections, ended }: ChangeRequest, people: People): ExportedVoteView[] {
  const viewOf = ({ createdBy, createdAt: at, digest }: Vote) => ({
    person: toPersonView(createdBy, people),
    at,
    digest,
  })
  const isCounted = (vote: Vote) => vote.digest === ended?.digest && ended.counted?.includes(vote.createdBy.id)
  return [
    ...approvals.map((vote): ExportedVoteView => {
      return {
        kind: 'approval',
        ...viewOf(vote),
        counted: ended?.counted === undefined ? null : isCounted(vote) === true,
      }
    }),
    ...rejections.map((vote): ExportedVoteView => ({ kind: 'rejection', ...viewOf(vote), counted: null })),
  ]
}

/** Null without the rules that were stored when it was applied. */
function toRequirementViews(changeRequest: ChangeRequest, people: People): ExportedChangeRequestView['requirements'] {
  const { rules, digest = null, counted } = changeRequest.ended ?? {}
  if (rules === undefined) return null
  const facts = { rules, digest, approvers: counted && new Set(counted), expiry: undefined }
  return requirementsOf(changeRequest, facts).map((one) => toRequirementView(one, people))
}

function toCheckViews({ checkReports = [], ended }: ChangeRequest, people: People): ExportedCheckView[] {
  const matched = ended?.checks ?? []
  const viewOf = (name: string, report?: CheckReport): ExportedCheckView => {
    const required = matched.find((one) => one.name === name)?.required ?? null
    const { status = null, summary = null, url = null, digest = null, by, at = null } = report ?? {}
    const reportedBy = by === undefined ? null : toAuthorView(by, people)
    return { name, required, status, summary, url, digest, reportedBy, reportedAt: at }
  }
  const unreported = matched.filter(({ name }) => !checkReports.some((report) => report.name === name))
  return [...checkReports.map((report) => viewOf(report.name, report)), ...unreported.map(({ name }) => viewOf(name))]
}

function toScheduleView({ schedule, scheduling }: ChangeRequest, people: People): ExportedScheduleView | null {
  if (schedule === null) return null
  return { ...schedule, by: scheduling === undefined ? null : toPersonView(scheduling.by.person, people) }
}

function toEmergency(changeRequest: ChangeRequest, people: People): ExportedEmergencyView | null {
  const view = toEmergencyView(changeRequest, people)
  return view && { ...view, acknowledgedAt: changeRequest.emergency?.acknowledgement?.createdAt ?? null }
}
