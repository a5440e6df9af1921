import type { ChangeRequest, CheckReport } from '../change-request'
import { reportsOf, withReport } from '../checks/check'
import { requireStep } from '../steps/steps'
import type { Decision, StepCommand } from './decision'
import { scheduleOnceReady } from './preset-schedule'

export interface ReportCommand extends StepCommand<'reportCheck'> {
  readonly report: Pick<CheckReport, 'name' | 'status' | 'summary' | 'url'>
}

/** Stores the result of a check for the current content, and puts a preset schedule into effect. No event is written. */
export function reportCheck(current: ChangeRequest, { by, now, facts, report }: ReportCommand): Decision {
  requireStep('reportCheck', current, facts, {})
  const next: CheckReport = { ...report, digest: facts.digest, by: by.author.person, at: now }
  const last = reportsOf(current, report.name).at(-1)
  if (last !== undefined && isEqual(last, next)) return { changeRequest: current, events: [] }
  return scheduleOnceReady(withReport(current, next, facts.placeChecks), now, facts)
}

function isEqual(last: CheckReport, next: CheckReport): boolean {
  const compared = ({ status, summary, url, digest, by }: CheckReport) => [status, summary, url, digest, by.id]
  return JSON.stringify(compared(last)) === JSON.stringify(compared(next))
}
