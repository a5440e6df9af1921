import type { ChangeRequestSearchItemView } from '../../generated/index'
import { toVoterView } from '../../kernel/host/person-views'
import { toScheduleView } from '../../kernel/view/schedule'
import { segmentName } from '../../kernel/view/segments'
import type { DescribedSummary } from './describe-summaries'

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
