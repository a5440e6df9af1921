import type { RecordedCheck } from '../../domain/change-request'
import { type CheckResult, resultsOf } from '../../domain/checks/check'
import type { CheckView } from '../../generated'
import { type People, toAuthorView } from '../host/person-views'
import type { Described } from './describe'

/** The checks with their last reports. @param digest null while the flags are unavailable: no report is shown then */
export function toCheckViews(
  described: Pick<Described, 'changeRequest' | 'people'>,
  checks: readonly RecordedCheck[],
  digest: string | null,
): CheckView[] {
  return resultsOf(described.changeRequest, checks, digest).map((one) => toCheckView(one, described))
}

export function toCheckView({ name, description, required, status, report }: CheckResult, people: People): CheckView {
  const { summary = null, url = null, by, at = null } = report ?? {}
  const reportedBy = by === undefined ? null : toAuthorView(by, people)
  return {
    ...{ name, description: description ?? null, required, mode: 'enforce', status },
    ...{ summary, url, reportedBy, reportedAt: at },
  }
}
