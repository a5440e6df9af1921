import type { ChangeRequest } from '../domain/change-request'
import type { State } from '../domain/lifecycle'
import type { ChangeRequestFilter, OpenKey, StoredChangeRequest, Write } from '../ports/storage'

export interface Row {
  readonly version: number
  readonly open: boolean
  readonly key: OpenKey
  readonly subjects: readonly string[]
  /** Text, so that nobody holds a reference into the store. */
  readonly document: string
}

export function toRow({ changeRequest, version, open, subjects }: Write): Row {
  const { project, environment, createdBy } = changeRequest
  const key = { project, environment, userId: createdBy.id }
  return { version, open, key, subjects: [...subjects], document: JSON.stringify(changeRequest) }
}

export function stored({ version, document }: Row): StoredChangeRequest {
  return { version, changeRequest: JSON.parse(document) as ChangeRequest }
}

export function sameKey(one: OpenKey, other: OpenKey): boolean {
  return one.project === other.project && one.environment === other.environment && one.userId === other.userId
}

/** All that fit, newest first. */
export function search(rows: Iterable<Row>, filter: ChangeRequestFilter): StoredChangeRequest[] {
  const { projects, createdBy, subject } = filter
  return [...rows]
    .filter(({ key, subjects }) => {
      if (projects !== undefined && !projects.includes(key.project)) return false
      if (createdBy !== undefined && key.userId !== createdBy) return false
      return subject === undefined || subjects.includes(subject)
    })
    .map(stored)
    .filter(({ changeRequest }) => isVisible(changeRequest, filter))
    .sort(({ changeRequest: one }, { changeRequest: other }) => {
      if (one.createdAt === other.createdAt) return other.id - one.id
      return one.createdAt < other.createdAt ? 1 : -1
    })
}

function isVisible({ state, createdBy }: ChangeRequest, { states, viewer }: ChangeRequestFilter): boolean {
  if (states !== undefined && !states.includes(state)) return false
  return state !== 'Draft' || createdBy.id === viewer
}

export function countStates(found: readonly StoredChangeRequest[]): { [state in State]?: number } {
  const counts: { [state in State]?: number } = {}
  for (const { changeRequest } of found) counts[changeRequest.state] = (counts[changeRequest.state] ?? 0) + 1
  return counts
}
