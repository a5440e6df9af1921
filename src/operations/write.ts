import type { Decision } from '../domain/changes'
import { isOpen } from '../domain/lifecycle'
import { ChangeRequestError } from '../errors'
import type { Storage, StoredChangeRequest } from '../ports/storage'
import { toEventRows } from './event-rows'
import { isLostRace } from './failures'

/** Ids that a decision may use; all greater than those in what it was made on. */
export interface FreshIds {
  readonly changeRequest: number
  readonly changes: readonly number[]
}

/** What a caller wants done to one change request. `decide` is pure, and may be called more than once. */
export interface Command {
  /** How many ids for changes `decide` needs. */
  readonly changeIds: number
  /** @throws ChangeRequestError when a rule refuses. */
  decide(current: StoredChangeRequest | undefined, ids: FreshIds): Decision
}

interface Job {
  readonly command: Command
  readonly resolve: (stored: StoredChangeRequest) => void
  readonly reject: (error: unknown) => void
}

type Load = () => Promise<StoredChangeRequest | undefined>

/** More than a few: several processes that write to one change request each lose to all of the others in turn. */
const tries = 12
const longestPauseMs = 100
const mostTogether = 100

/**
 * Runs load, decide, commit. Commands for the same change request that meet in this process queue up: those that wait
 * are decided one after the other on one load, and committed together.
 */
export class AggregateWriter {
  readonly #queues = new Map<string, Job[]>()
  readonly #draining = new Set<Promise<void>>()
  readonly #storage: Storage
  readonly #linkBase: string

  constructor(storage: Storage, linkBase: string) {
    this.#storage = storage
    this.#linkBase = linkBase
  }

  /** Resolves with what is stored when the command is committed, rejects with what refused it. */
  write(key: string, load: Load, command: Command): Promise<StoredChangeRequest> {
    return new Promise((resolve, reject) => {
      const job = { command, resolve, reject }
      const queue = this.#queues.get(key)
      if (queue !== undefined) queue.push(job)
      else {
        const fresh = [job]
        this.#queues.set(key, fresh)
        const draining = this.#drain(key, fresh, load).finally(() => this.#draining.delete(draining))
        this.#draining.add(draining)
      }
    })
  }

  /** Settles when no command is waiting or under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#draining)
  }

  async #drain(key: string, queue: Job[], load: Load): Promise<void> {
    while (queue.length > 0) {
      const jobs = queue.splice(0, mostTogether)
      try {
        await this.#commit(jobs, load)
      } catch (error) {
        for (const { reject } of jobs) reject(error)
      }
    }
    this.#queues.delete(key)
  }

  async #commit(jobs: readonly Job[], load: Load): Promise<void> {
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      if (attempt > 1) await pause(attempt)
      const loaded = await load()
      const chain = decideAll(jobs, loaded, await this.#drawIds(jobs, loaded))
      if (chain.last === undefined || (await this.#store(chain.last, loaded, chain.events))) {
        for (const settle of chain.settle) settle()
        return
      }
    }
    throw new ChangeRequestError('UnavailableError', 'Too many others write to this change request. Try again.', {
      retryAfter: 1,
    })
  }

  async #drawIds(jobs: readonly Job[], loaded: StoredChangeRequest | undefined): Promise<FreshIds> {
    const count = jobs.reduce((sum, { command }) => sum + command.changeIds, 0)
    const [changes, [changeRequest = 0]] = await Promise.all([
      this.#storage.nextIds('change', count),
      loaded === undefined ? this.#storage.nextIds('changeRequest', 1) : [],
    ])
    return { changeRequest, changes }
  }

  async #store(
    last: StoredChangeRequest,
    loaded: StoredChangeRequest | undefined,
    events: Decision['events'],
  ): Promise<boolean> {
    try {
      return await this.#storage.commit({
        ...last,
        expectedVersion: loaded?.version ?? 0,
        open: isOpen(last.changeRequest.state),
        events: toEventRows(events, this.#linkBase),
      })
    } catch (error) {
      if (isLostRace(error)) return false
      throw error
    }
  }
}

/** Decides each command on what the one before it left; a refusal leaves it as it was. */
function decideAll(jobs: readonly Job[], loaded: StoredChangeRequest | undefined, ids: FreshIds) {
  const events: Decision['events'][number][] = []
  const settle: (() => void)[] = []
  let current = loaded
  let last: StoredChangeRequest | undefined
  let used = 0
  for (const { command, resolve, reject } of jobs) {
    const changes = ids.changes.slice(used, used + command.changeIds)
    used += command.changeIds
    try {
      const decision = command.decide(current, { ...ids, changes })
      const stored = { version: (current?.version ?? 0) + 1, changeRequest: decision.changeRequest }
      events.push(...decision.events)
      current = last = stored
      settle.push(() => resolve(stored))
    } catch (error) {
      settle.push(() => reject(error))
    }
  }
  return { last, events, settle }
}

function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(longestPauseMs, 2 ** attempt)))
}
