import type { RecordedCheck } from '../../domain/change-request'
import { reportCheck as decideReport, type ReportCommand } from '../../domain/decisions/report-check'
import type { CheckReportSubmission, ChecksView } from '../../generated'
import { jsonReply } from '../../http/reply'
import { ifMatch, type Route, route, writeErrors } from '../../http/route'
import { entityTag } from '../../kernel/etag'
import type { Services } from '../../kernel/services'
import { performSchedulingStep } from '../../kernel/step/perform-step'
import type { Caller, Reference } from '../../kernel/step/step-input'
import { toCheckViews } from '../../kernel/view/checks'
import { describeOne } from '../../kernel/view/describe'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { checkBody, refuseCharacters, trimText } from '../../validation/check-body'

export interface ReportInput extends Caller, Reference {
  readonly digest: string
  readonly report: ReportCommand['report']
}

interface Reported {
  readonly stored: StoredChangeRequest
  readonly checks: readonly RecordedCheck[]
  readonly digest: string
}

export async function reportCheck(services: Services, { report, ...input }: ReportInput): Promise<Reported> {
  let checks: readonly RecordedCheck[] = []
  const reporting = { ...input, checkName: report.name }
  const stored = await performSchedulingStep(services, 'reportCheck', reporting, (current, command) => {
    checks = command.facts.checks
    return decideReport(current, { ...command, report })
  })
  return { stored, checks, digest: input.digest }
}

const maxSummaryLength = 1_000

/** @throws BadDataError with the first problem */
function parseReport(body: unknown, name: string): Pick<ReportInput, 'digest' | 'report'> {
  const { status, digest, summary, url } = checkBody<CheckReportSubmission>('checkReport', body)
  const text = summary === undefined ? undefined : parseSummary(summary)
  return { digest, report: { name, status, ...(text && { summary: text }), ...(url && { url }) } }
}

/** Without characters that change the direction of text: it is the text of another system, shown to reviewers. */
function parseSummary(summary: string): string {
  return refuseCharacters(trimText(summary, 'summary', maxSummaryLength), 'summary', /\p{Bidi_Control}/u)
}

export const checkRoutes: readonly Route[] = [
  route({
    method: 'put',
    path: '/projects/:projectId/change-requests/:id/checks/:name',
    operationId: 'reportCheck',
    extension: true,
    summary: 'Report a check',
    description:
      'Stores the result of a check for the content with this `digest`. A required check must be `passed` before the change ' +
      'request is applied. An edit removes the report.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'check-report',
    answer: { status: 200, schema: 'checks', description: 'The checks of the change request.' },
    errors: writeErrors,
    parse: (context) => ({ ...context.reference(), ...parseReport(context.body, context.name('name')) }),
    run: (input, services) => reportCheck(services, input),
    async view({ stored, checks, digest }, services) {
      const described = await describeOne(services, stored, 'write')
      const view: ChecksView = { checks: toCheckViews(described, checks, digest) }
      return jsonReply(view, { ETag: entityTag(stored) })
    },
  }),
]
