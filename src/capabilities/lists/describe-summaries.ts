import type { ChangeRequestSummary } from '../../domain/content/summary'
import { isClosed } from '../../domain/lifecycle'
import type { ChangeRequestSearchItemView } from '../../generated'
import { findPeople, idsInDirectory } from '../../kernel/host/find-users'
import { currentFlags, groupByPlace, placeOf, segmentNamesIn } from '../../kernel/host/flag-state'
import { toVoterView } from '../../kernel/host/person-views'
import type { Services } from '../../kernel/services'
import { toScheduleView } from '../../kernel/view/change-request'
import { segmentName } from '../../kernel/view/segments'

export type DescribedSummary = Awaited<ReturnType<typeof describeSummaries>>[number]

/** Summaries in their order; the gateway is called once for each project and environment with segments. */
export async function describeSummaries(services: Services, summaries: readonly ChangeRequestSummary[]) {
  const [people, names] = await Promise.all([
    findPeople(services, idsInDirectory(summaries.map(({ createdBy }) => createdBy))),
    findSegmentNames(services, summaries),
  ])
  return summaries.map((summary) => ({
    summary,
    segmentNames: (isClosed(summary) ? undefined : names.get(placeOf(summary))) ?? new Map<number, string>(),
    people,
  }))
}

async function findSegmentNames(services: Services, summaries: readonly ChangeRequestSummary[]) {
  const places = groupByPlace(summaries.filter((one) => !isClosed(one) && one.segments.length > 0))
  const named = [...places].map(async ([place, group]) => {
    const { project, environment } = group[0] as ChangeRequestSummary
    const segments = [...new Set(group.flatMap((one) => one.segments.map(({ id }) => id)))]
    const state = await currentFlags(services, { project, environment, features: [], segments })
    return [place, segmentNamesIn(state)] as const
  })
  return new Map(await Promise.all(named))
}

/** A change request in the search over all projects (contract 3.8). */
export function toSearchItemView(described: DescribedSummary): ChangeRequestSearchItemView {
  const { summary, segmentNames } = described
  const { id, environment, project, createdAt, features, title, state, schedule } = summary
  const view = {
    id,
    environment,
    project,
    createdBy: toVoterView(summary.createdBy, described),
    createdAt,
    features: [...features],
    segments: summary.segments.map((segment) => segmentName(segment, segmentNames)),
    ...(title === null ? {} : { title }),
  }
  if (state !== 'Scheduled') return { ...view, state }
  return { ...view, state, schedule: toScheduleView(schedule) }
}
