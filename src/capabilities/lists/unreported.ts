import type { ChangeRequest } from '../../domain/change-request'
import { type Check, matchingChecks, resultsOf } from '../../domain/checks/check'
import { reportedSubject } from '../../domain/content/grouping'
import { summarize } from '../../domain/content/summary'
import type { State } from '../../domain/lifecycle'
import { checksThroughout } from '../../kernel/facts/policy'
import { placeOf, previewOf } from '../../kernel/host/flag-state'
import type { Services } from '../../kernel/services'
import type { Described } from '../../kernel/view/describe'
import type { ReviewCase } from '../../ports/storage/change-requests'
import type { createActionable } from './actionable'

const reportable: readonly State[] = ['In review', 'Approved', 'Scheduled']

/** The parts of the cases without those that have a report whatever the flags are. {@link unreported} looks at the rest. */
export function unreportedCases(cases: readonly ReviewCase[], check: string): ReviewCase[] {
  return cases.map((one) => ({
    withoutSubject: reportedSubject(check),
    ...one,
    groups: one.groups.filter(({ state }) => reportable.includes(state)),
  }))
}

/** True if no change request can have the check. */
export function isUnknownCheck({ checks }: Pick<Services, 'checks'>, check: string): boolean {
  return typeof checks !== 'function' && !checks.some(({ name }) => name === check)
}

/** Those that the check matches and that have no report of it for what would be applied now; none while the flags are unknown. */
export async function unreported(
  services: Services,
  described: readonly Described[],
  check: string,
  { reachIn }: Pick<ReturnType<typeof createActionable>, 'reachIn'>,
): Promise<Described[]> {
  const places = new Map<string, Promise<readonly Check[]>>()
  const checksOf = (changeRequest: ChangeRequest) => {
    const summary = summarize(changeRequest)
    const key = JSON.stringify([placeOf(changeRequest), summary.scope])
    const found =
      places.get(key) ?? reachIn(summary).then((reach) => checksThroughout(services, summary.project, reach))
    places.set(key, found)
    return found
  }
  const isUnreported = async ({ changeRequest, flags, flagsError, defaultChanges }: Described) => {
    if (flagsError !== undefined) return false
    const named = (await checksOf(changeRequest)).filter(({ name }) => name === check)
    const matching = matchingChecks(named, changeRequest, flags)
    const { digest } = previewOf(changeRequest, flags, defaultChanges)
    return resultsOf(changeRequest, matching, digest).some(({ status }) => status === null)
  }
  const listed = await Promise.all(described.map(isUnreported))
  return described.filter((_, index) => listed[index])
}
