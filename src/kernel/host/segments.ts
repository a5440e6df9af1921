import type { HostServices } from '../host-services'
import { currentFlags } from './flag-state'

/**
 * The current names of the segments. Unknown ones are missing, and all are if the gateway cannot be read: what mentions them is
 * complete without their names.
 */
export async function namesOfSegments(
  services: HostServices,
  place: { readonly project: string; readonly environment: string },
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const { project, environment } = place
  const found = await currentFlags(services, { project, environment, features: [], segments: ids }).catch(
    () => undefined,
  )
  return new Map([...(found?.segments ?? [])].map(([id, { name }]) => [id, name]))
}
