import { type Freeze, freezesAt } from '../domain/freezes/freeze'
import { freezesThroughout } from '../kernel/facts/freezes'
import { gatedEnvironments } from '../kernel/host/settings'
import { now } from '../kernel/host-services'
import type { Services } from '../kernel/services'
import type { WritePlace } from './review-required'

/**
 * The name of the freeze in force where a request skips the review; of several, that with the latest end. Null if there is
 * none, `unknown` if the freezes cannot be read: they concern change requests, so the request passes nevertheless.
 */
export async function freezeOfSkip(services: Services, places: readonly WritePlace[]): Promise<string | null> {
  const { freezes, logger } = services
  if (freezes.length === 0 && typeof freezes !== 'function') return null
  try {
    const found = await Promise.all(places.map((place) => freezesIn(services, place)))
    return freezesAt(found.flat(), now(services))[0]?.name ?? null
  } catch (err) {
    logger.warn({ err }, 'The freezes could not be read for a write that skips the review.')
    return 'unknown'
  }
}

/** The gate does not know what is written, so freezes of certain flags and segments are left out. */
async function freezesIn(services: Services, { project, environment }: WritePlace): Promise<readonly Freeze[]> {
  const named = environment === undefined ? await namedGated(services, project) : [environment]
  const freezes = await freezesThroughout(services, project, { environments: named })
  return freezes.filter(({ when }) => when?.features === undefined && when?.segments === undefined)
}

async function namedGated(services: Services, project: string): Promise<string[]> {
  const { gated } = await gatedEnvironments(services, project)
  return gated.flatMap(({ environment }) => environment ?? [])
}
