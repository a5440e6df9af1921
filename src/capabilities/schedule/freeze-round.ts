import { type ChangeRequestSummary, subjectsOfSummary } from '../../domain/content/summary'
import { matchingFreezes, type PlacedFreeze } from '../../domain/freezes/freeze'
import { freezesThroughout } from '../../kernel/facts/freezes'
import { reachOfScope } from '../../kernel/facts/reach'
import { now, type Services } from '../../kernel/services'

/** What the runner knows about freezes while it applies what is due. The host app returns the freezes of a place once. */
export class FreezeRound {
  readonly #services: Services
  readonly #places = new Map<string, Promise<readonly PlacedFreeze[]>>()
  #held: Promise<number> | undefined

  constructor(services: Services) {
    this.#services = services
  }

  /** The freezes that match the change request, whether or not they are in force. */
  async of(summary: ChangeRequestSummary): Promise<readonly PlacedFreeze[]> {
    const { project, environment, scope } = summary
    const key = JSON.stringify([project, environment, scope])
    let freezes = this.#places.get(key)
    if (freezes === undefined) {
      freezes = this.#in(summary)
      this.#places.set(key, freezes)
    }
    return matchingFreezes(await freezes, summary)
  }

  async #in(summary: ChangeRequestSummary): Promise<readonly PlacedFreeze[]> {
    const reach = await reachOfScope(this.#services, summary, summary.scope)
    return freezesThroughout(this.#services, summary.project, reach)
  }

  /**
   * A held change request that is to be applied before this one: it has an earlier time, and a flag or segment in common.
   * Undefined if there is none.
   */
  async heldBefore(
    summary: ChangeRequestSummary,
    subjects: readonly string[],
  ): Promise<ChangeRequestSummary | undefined> {
    const { storage } = this.#services
    this.#held ??= storage.dueTimes(now(this.#services)).then(({ held }) => held)
    if ((await this.#held) === 0) return undefined
    const filter = { projects: [summary.project], states: ['Scheduled'], subjects, viewer: null } as const
    let page: Parameters<typeof storage.summaries>[1] | null = { limit: 100, bytes: 1_048_576 }
    while (page !== null) {
      const { items, next } = await storage.summaries(filter, page)
      const found = items.find((other) => other.held !== undefined && isBefore(other, summary))
      if (found !== undefined) return found
      page = next && { ...page, after: next }
    }
    return undefined
  }
}

/** Whether the other one must be applied first: in the same environment, or in any if one of them affects the project. */
export function isBefore(other: ChangeRequestSummary, summary: ChangeRequestSummary): boolean {
  const [theirs, ours] = [other.schedule?.scheduledAt ?? '', summary.schedule?.scheduledAt ?? '']
  const isEarlier = theirs === ours ? other.id < summary.id : theirs < ours
  const meets = other.environment === summary.environment || other.scope === 'project' || summary.scope === 'project'
  const subjects = subjectsOfSummary(summary)
  return isEarlier && meets && subjectsOfSummary(other).some((subject) => subjects.includes(subject))
}
