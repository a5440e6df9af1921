import { useMemo } from 'preact/hooks'
import { useQuery } from '../../../core/api/query'
import { client } from '../../../core/api/session'
import { useLiveCount } from '../use-live-count'
import { type DayCount, type DayWindow, fillDays, toDay } from './days'

/** Events of each day of a window in all projects, or in some; live. */
export function useActivity(
  window: DayWindow,
  projects: readonly string[] | undefined,
): readonly DayCount[] | undefined {
  const { first: from, last: to } = window
  const { data, refresh } = useQuery(['activity', from, to, projects], async ({ signal }) => {
    const asked = (projects ?? [undefined]).map((project) => client.activity({ from, to, project }, { signal }))
    const answers = await Promise.all(asked)
    return { body: answers.flatMap(({ body }) => body.days) }
  })
  useLiveCount(refresh, ({ project, createdAt }) => {
    const day = toDay(createdAt)
    return day >= from && day <= to && (projects === undefined || (project != null && projects.includes(project)))
  })
  return useMemo(() => data && fillDays({ first: from, last: to }, data), [data, from, to])
}
