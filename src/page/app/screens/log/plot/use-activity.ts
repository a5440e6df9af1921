import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import { useLive } from '../../../core/api/live'
import { useLoaded } from '../../../core/api/load'
import { client } from '../../../core/api/session'
import { type DayCount, type DayWindow, fillDays, sumDays, toDay } from './days'

/** Events of each day of a window in all projects, or in some; what comes meanwhile is added. */
export function useActivity(
  window: DayWindow,
  projects: readonly string[] | undefined,
): readonly DayCount[] | undefined {
  const { first: from, last: to } = window
  const key = `activity ${from} ${to} ${projects?.join(',') ?? ''}`
  const { data, refresh } = useLoaded(key, async ({ signal }) => {
    const asked = (projects ?? [undefined]).map((project) => client.activity({ from, to, project }, { signal }))
    const answers = await Promise.all(asked)
    return { body: answers.flatMap(({ body }) => body.days), etag: null }
  })
  const [come, setCome] = useState<readonly DayCount[]>([])
  useLayoutEffect(() => setCome([]), [data])
  useLive((events) => {
    if (events.length === 0) void refresh()
    else setCome((before) => sumDays([...before, ...countDays(events, projects)]))
  })
  return useMemo(() => data && fillDays({ first: from, last: to }, [...data, ...come]), [data, come, from, to])
}

function countDays(events: readonly EventView[], projects: readonly string[] | undefined): DayCount[] {
  return events
    .filter(({ project }) => projects === undefined || (project != null && projects.includes(project)))
    .map(({ createdAt }) => ({ date: toDay(createdAt), total: 1 }))
}
