import type { Person } from '../domain/change-request'
import { closedStates } from '../domain/lifecycle'
import type { ChangeRequestSummary } from '../domain/summary'
import { toPerson } from './author'
import { callHook } from './call-hook'
import { currentFlags } from './flag-state'
import type { Services } from './services'

/** A summary with what a search works out on read: present names. */
export interface DescribedSummary {
  readonly summary: ChangeRequestSummary
  /** The present names of its segments, where a flag gateway knows them. */
  readonly segmentNames: ReadonlyMap<number, string>
  /** The authors as the user directory knows them; a missing one is gone. Undefined without a directory. */
  readonly people: ReadonlyMap<number, Person> | undefined
}

/** Summaries in their order; the gateway is asked once for each project and environment with segments to be named. */
export async function describeSummaries(
  services: Services,
  summaries: readonly ChangeRequestSummary[],
): Promise<DescribedSummary[]> {
  const [people, names] = await Promise.all([findAuthors(services, summaries), findSegmentNames(services, summaries)])
  return summaries.map((summary) => ({
    summary,
    segmentNames: (isClosed(summary) ? undefined : names.get(placeOf(summary))) ?? new Map(),
    people,
  }))
}

async function findAuthors({ users, settings }: Services, summaries: readonly ChangeRequestSummary[]) {
  if (users === null) return undefined
  const ids = [...new Set(summaries.map(({ createdBy }) => createdBy.id))]
  if (ids.length === 0) return new Map<number, Person>()
  const known = await callHook({ settings }, 'users.find', () => users.find(ids))
  return new Map([...known].map((user) => [user.id, toPerson(user, settings)]))
}

/** By place. */
async function findSegmentNames(services: Services, summaries: readonly ChangeRequestSummary[]) {
  const { flags } = services
  const places = new Map<string, ChangeRequestSummary[]>()
  for (const summary of summaries) {
    if (flags === null || isClosed(summary) || summary.segments.length === 0) continue
    const group = places.get(placeOf(summary)) ?? []
    places.set(placeOf(summary), [...group, summary])
  }
  const named = [...places].map(async ([place, group]) => {
    const { project, environment } = group[0] as ChangeRequestSummary
    const segments = [...new Set(group.flatMap((one) => one.segments.map(({ id }) => id)))]
    const subjects = { project, environment, features: [], segments }
    const state = await currentFlags(services, subjects)
    return [place, new Map([...(state?.segments ?? [])].map(([id, { name }]) => [id, name]))] as const
  })
  return new Map(await Promise.all(named))
}

function isClosed({ state }: ChangeRequestSummary): boolean {
  return closedStates.includes(state)
}

function placeOf({ project, environment }: ChangeRequestSummary): string {
  return `${project}/${environment}`
}
