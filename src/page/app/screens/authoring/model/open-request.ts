import type { ChangeRequestPlace } from '../../../../../client'
import type { Missing } from '../../../core/api/missing'

/** The open change request that a rejected proposal would be added to: the error has its path. */
export function openRequestIn(error: unknown): ChangeRequestPlace | undefined {
  const { status, details = [] } = (error ?? {}) as { status?: number; details?: readonly Missing[] }
  if (status !== 412) return undefined
  for (const { path = '' } of details) {
    const [, project, id] = /\/projects\/([^/]+)\/change-requests\/(\d+)$/.exec(path) ?? []
    if (project !== undefined) return { project: decodeURIComponent(project), id: Number(id) }
  }
  return undefined
}
