import { approverSubject, featureSubject } from '../domain/grouping'
import { closedStates, isOpen, type State, states } from '../domain/lifecycle'
import { type ScheduledQuery, touches } from '../domain/schedule'
import type { Actor } from '../ports/access'
import type { ChangeRequestFilter, StoredChangeRequest } from '../ports/storage'
import { holds } from './permissions'
import type { Services } from './services'
import { listSettings } from './settings'

/** A project list answers this many (contract 2.2). */
const mostInList = 300

const open = states.filter(isOpen)
const openOrScheduled: readonly State[] = [...open, 'Scheduled']

interface InProject {
  readonly actor: Actor
  readonly project: string
}

/** The newest change requests of the project, in all states. */
export function listProject({ storage }: Services, { actor, project }: InProject): Promise<StoredChangeRequest[]> {
  return storage.list({ projects: [project], viewer: actor.id }, { offset: 0, limit: mostInList })
}

/** The caller's own open ones, where change requests are on. */
export async function listPending(services: Services, { actor, project }: InProject): Promise<StoredChangeRequest[]> {
  if (actor.id === null) return []
  const filter = { projects: [project], states: open, createdBy: actor.id, viewer: actor.id }
  const [own, settings] = await Promise.all([
    services.storage.list(filter, { offset: 0, limit: mostInList }),
    listSettings(services, project),
  ])
  const off = new Set(settings.filter((one) => !one.changeRequestsEnabled).map(({ environment }) => environment))
  return own.filter(({ changeRequest }) => !off.has(changeRequest.environment))
}

/** Anybody's open and scheduled ones with a change of the flag. */
export function listPendingFor(
  { storage }: Services,
  { actor, project, feature }: InProject & { readonly feature: string },
): Promise<StoredChangeRequest[]> {
  const filter = {
    projects: [project],
    states: openOrScheduled,
    subject: featureSubject(feature),
    viewer: actor.id,
  }
  return storage.list(filter, { offset: 0, limit: mostInList })
}

/** The scheduled ones that touch any of what is asked about; none where nothing is (contract 3.4). */
export async function listScheduled(
  { storage }: Services,
  { actor, project, ...query }: InProject & ScheduledQuery,
): Promise<StoredChangeRequest[]> {
  if (query.features.length + query.strategyIds.length + query.variantsOf.length === 0) return []
  const filter: ChangeRequestFilter = { projects: [project], states: ['Scheduled'], viewer: actor.id }
  const found: StoredChangeRequest[] = []
  for (let offset = 0; ; offset += mostInList) {
    const page = await storage.list(filter, { offset, limit: mostInList })
    found.push(...page.filter(({ changeRequest }) => touches(changeRequest, query)))
    if (page.length < mostInList) return found
  }
}

/** How many there are in each state that has a bucket, and in all. */
export async function countProject({ storage }: Services, { actor, project }: InProject) {
  const counts = await storage.countByState({ projects: [project], viewer: actor.id })
  return {
    total: states.reduce((sum, state) => sum + (counts[state] ?? 0), 0),
    applied: counts.Applied ?? 0,
    rejected: counts.Rejected ?? 0,
    reviewRequired: counts['In review'] ?? 0,
    approved: counts.Approved ?? 0,
    scheduled: counts.Scheduled ?? 0,
  }
}

/** How many the caller can move on (contract 3.4, 8). */
export async function countActionable(services: Services, { actor, project }: InProject): Promise<number> {
  const { storage } = services
  const filter: ChangeRequestFilter = { projects: [project], states: ['In review', 'Approved'], viewer: actor.id }
  const allowed = createPermissionCache(services, actor, project)
  let admin: Promise<boolean> | undefined
  let total = 0
  for (let offset = 0; ; offset += mostInList) {
    const page = await storage.list(filter, { offset, limit: mostInList })
    for (const { changeRequest } of page) if (await isActionable(changeRequest)) total += 1
    if (page.length < mostInList) return total
  }

  async function isActionable(changeRequest: StoredChangeRequest['changeRequest']): Promise<boolean> {
    const { state, environment, createdBy, approvals } = changeRequest
    if (state === 'Approved') return allowed('APPLY_CHANGE_REQUEST', environment)
    if (approvals.some((vote) => vote.createdBy.id === actor.id)) return false
    if (createdBy.id === actor.id) {
      admin ??= holds(services, actor, 'ADMIN', {})
      if (!(await admin)) return false
    }
    return allowed('APPROVE_CHANGE_REQUEST', environment)
  }
}

function createPermissionCache(services: Services, actor: Actor, project: string) {
  const known = new Map<string, Promise<boolean>>()
  return (permission: 'APPLY_CHANGE_REQUEST' | 'APPROVE_CHANGE_REQUEST', environment: string) => {
    const key = `${permission} ${environment}`
    const answer = known.get(key) ?? holds(services, actor, permission, { project, environment })
    known.set(key, answer)
    return answer
  }
}

export interface Search {
  readonly actor: Actor
  readonly createdBy: number | null
  readonly requestedApproverId: number | null
  readonly state: 'open' | 'closed' | null
  readonly offset: number
  readonly limit: number
}

export interface Found {
  readonly items: StoredChangeRequest[]
  /** Before paging. */
  readonly total: number
}

/** Across all projects that the caller may read (contract 3.8). */
export async function search(services: Services, input: Search): Promise<Found> {
  const { storage } = services
  const filter: ChangeRequestFilter = {
    projects: await readableProjects(services, input.actor),
    ...(input.createdBy === null ? {} : { createdBy: input.createdBy }),
    ...(input.requestedApproverId === null ? {} : { subject: approverSubject(input.requestedApproverId) }),
    ...(input.state === null ? {} : { states: input.state === 'open' ? openOrScheduled : closedStates }),
    viewer: input.actor.id,
  }
  const [items, counts] = await Promise.all([storage.list(filter, input), storage.countByState(filter)])
  return { items, total: Object.values(counts).reduce((sum, count) => sum + count, 0) }
}

async function readableProjects(services: Services, actor: Actor): Promise<string[]> {
  const projects = await services.storage.projects()
  const readable = await Promise.all(
    projects.map((project) => holds(services, actor, 'READ_CHANGE_REQUEST', { project })),
  )
  return projects.filter((_, index) => readable[index])
}
