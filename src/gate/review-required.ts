import type { PermissionCheck } from '../kernel/host/permissions'
import { type GatedEnvironment, gatedEnvironments, isEnabled, settingsOf } from '../kernel/host/settings'
import type { Services } from '../kernel/services'
import type { Scope } from '../ports/access'

export interface WritePlace extends Scope {
  readonly project: string
}

interface ReviewRequirement {
  readonly required: boolean
  /** The known environments with change requests enabled. */
  readonly environments: readonly string[]
  /** The one that requires the most approvals; the last one if several do. Undefined if none is known. */
  readonly strictest: string | undefined
  /** To pass, the caller needs SKIP_CHANGE_REQUEST in all of these. */
  readonly skipIn: readonly WritePlace[]
}

/** A write to a whole project needs a review if any environment of the project is gated. */
export async function reviewRequirement(
  services: Services,
  { project, environment }: WritePlace,
): Promise<ReviewRequirement> {
  if (environment !== undefined) {
    const required = isEnabled(await settingsOf(services, project, environment))
    const environments = required ? [environment] : []
    return { required, environments, strictest: environment, skipIn: [{ project, environment }] }
  }
  const { gated, complete } = await gatedEnvironments(services, project)
  const environments = gated.flatMap(({ environment }) => environment ?? [])
  const skipIn = environments.map((environment): WritePlace => ({ project, environment }))
  return {
    required: gated.length > 0,
    environments,
    strictest: strictestOf(gated),
    skipIn: complete ? skipIn : [...skipIn, { project }],
  }
}

/** Unnamed entries are skipped: a change request needs the name of its environment. */
function strictestOf(gated: readonly GatedEnvironment[]): string | undefined {
  const named = gated.filter(({ environment }) => environment !== undefined)
  const highest = Math.max(...named.map(({ requiredApprovals }) => requiredApprovals))
  return named.findLast(({ requiredApprovals }) => requiredApprovals === highest)?.environment
}

export async function maySkip(hasPermission: PermissionCheck, places: readonly WritePlace[]): Promise<boolean> {
  const held = await Promise.all(places.map((place) => hasPermission('SKIP_CHANGE_REQUEST', place)))
  return held.every(Boolean)
}

/** After a place was disabled by another process, events may name the caller as one who skipped the review for this long. */
const rememberedMs = 1_000
const maxPlaces = 1_000

/** The environments in which change requests were enabled at the last read. Disabled ones are never remembered. */
export class RecentlyGated {
  readonly #until = new Map<string, number>()
  readonly #now: () => number

  /** @param now in milliseconds; it never runs backwards. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** False for a whole project: its list of environments may have grown. */
  has(place: WritePlace): boolean {
    return place.environment !== undefined && (this.#until.get(nameOf(place)) ?? 0) > this.#now()
  }

  record(place: WritePlace, isGated: boolean): void {
    const name = nameOf(place)
    if (!isGated) {
      this.#until.delete(name)
    } else if (place.environment !== undefined) {
      if (this.#until.size >= maxPlaces) this.#until.clear()
      this.#until.set(name, this.#now() + rememberedMs)
    }
  }
}

function nameOf({ project, environment }: WritePlace): string {
  return JSON.stringify([project, environment])
}
