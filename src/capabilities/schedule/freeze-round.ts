import { featureSubject, scheduledSubjects, segmentSubject } from '../../domain/content/grouping'
import { type ChangeRequestSummary, subjectsOfSummary } from '../../domain/content/summary'
import { matchingFreezes, type PlacedFreeze } from '../../domain/freezes/freeze'
import { instantOf } from '../../domain/instants'
import { freezesThroughout, reachOfScope } from '../../kernel/facts/reach'
import { now } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { readPages } from '../../kernel/view/pages'

/** What the runner knows about freezes while it applies what is due. The host app returns the freezes of a place once. */
export class FreezeRound {
  readonly #services: Services
  readonly #places = new Map<string, Promise<readonly PlacedFreeze[]>>()
  #ready: readonly ChangeRequestSummary[] = []
  #held: Promise<readonly ChangeRequestSummary[]> | undefined

  constructor(services: Services) {
    this.#services = services
  }

  /** The freezes that match the change request, whether or not they are in force. */
  async of(summary: ChangeRequestSummary): Promise<readonly PlacedFreeze[]> {
    return matchingFreezes(await this.throughout(summary), summary)
  }

  /** All freezes in the environments that it affects. */
  throughout(summary: ChangeRequestSummary): Promise<readonly PlacedFreeze[]> {
    const key = JSON.stringify([summary.project, summary.environment, summary.scope])
    const freezes = this.#places.get(key) ?? this.#in(summary)
    this.#places.set(key, freezes)
    return freezes
  }

  async #in(summary: ChangeRequestSummary): Promise<readonly PlacedFreeze[]> {
    const reach = await reachOfScope(this.#services, summary, summary.scope)
    return freezesThroughout(this.#services, summary.project, reach)
  }

  /** The change requests that are applied in this round: one query finds the held ones that they may have to wait for. */
  begin(ready: readonly ChangeRequestSummary[]): void {
    this.#ready = ready
    this.#held = undefined
  }

  /** A held one that is to be applied before this one: it is earlier, with a flag or segment in common. */
  async heldBefore(summary: ChangeRequestSummary): Promise<ChangeRequestSummary | undefined> {
    this.#held ??= this.#findHeld()
    return (await this.#held).find((other) => isBefore(other, summary))
  }

  async #findHeld(): Promise<readonly ChangeRequestSummary[]> {
    const { storage } = this.#services
    if ((await storage.dueTimes(now(this.#services))).held === 0) return []
    const subjects = this.#ready.flatMap(({ features, segments }) => [
      ...features.map(featureSubject),
      ...segments.map(({ id }) => segmentSubject(id)),
    ])
    const filter = { subjects: scheduledSubjects(subjects), viewer: null }
    const found: ChangeRequestSummary[] = []
    for await (const { items } of readPages((page) => storage.summaries(filter, page))) {
      found.push(...items.filter(({ held }) => held !== undefined))
    }
    return found
  }
}

function scheduledInstant({ schedule }: ChangeRequestSummary): number {
  return schedule === null ? Number.NEGATIVE_INFINITY : instantOf(schedule.scheduledAt)
}

/** Whether the other one must be applied first: in the same environment, or in any if one of them affects the project. */
export function isBefore(other: ChangeRequestSummary, summary: ChangeRequestSummary): boolean {
  const [theirs, ours] = [scheduledInstant(other), scheduledInstant(summary)]
  const isEarlier = theirs === ours ? other.id < summary.id : theirs < ours
  if (!isEarlier || other.project !== summary.project) return false
  const meets = other.environment === summary.environment || other.scope === 'project' || summary.scope === 'project'
  const subjects = subjectsOfSummary(summary)
  return meets && subjectsOfSummary(other).some((subject) => subjects.includes(subject))
}
