import type { ChangeRequest } from '../domain/change-request'
import type { FlagState } from '../domain/flag-state'
import { segmentId } from '../domain/grouping'
import { callHook } from './call-hook'
import type { Services } from './services'

/** The present flags behind change requests of one project and environment; undefined without a gateway. */
export async function presentFlags(
  services: Services,
  changeRequests: readonly ChangeRequest[],
): Promise<FlagState | undefined> {
  const { flags } = services
  const [first] = changeRequests
  if (flags === null || first === undefined) return undefined
  const changes = changeRequests.flatMap((one) => one.changes)
  const features = [...new Set(changes.flatMap(({ feature }) => feature ?? []))]
  const segments = [...new Set(changes.flatMap((change) => (change.feature === null ? segmentId(change) : [])))]
  const { project, environment } = first
  return callHook(services, 'flags.current', () => flags.current({ project, environment, features, segments }))
}
