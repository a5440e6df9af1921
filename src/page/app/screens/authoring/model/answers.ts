import type { ChangeRequestPlace } from '../../../../../client'
import type { Missing } from '../../../core/api/answers'

/**
 * The messages by the path of the value, such as `/payload/id`. For a value that is none of those allowed, the path of the
 * error is the name of its property; in a list, the message ends with its path (contract 11.3).
 */
export function messagesByPath(problems: readonly Missing[]): ReadonlyMap<string, string> {
  return new Map(
    problems.map(({ path = '', message }) => {
      const [, found = path] = /\bat (\/\S+)$/.exec(message) ?? []
      return [found.replace('/body/', '/'), message]
    }),
  )
}

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

/** Whether the flag or segment of the change was edited after it was read. */
export function isOutdatedBase(error: unknown): boolean {
  const { details = [] } = (error ?? {}) as { details?: readonly Missing[] }
  return details.some(({ code }) => code === 'outdated-base')
}

/** The revision of an entity tag. */
export function revisionOf(etag: string | null | undefined): string | undefined {
  return etag?.slice(1, -1)
}
