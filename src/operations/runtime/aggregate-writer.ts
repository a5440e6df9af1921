import { subjectsOf } from '../../domain/content/grouping'
import { summarize } from '../../domain/content/summary'
import type { Decision } from '../../domain/decision'
import { isOpen } from '../../domain/lifecycle'
import { ChangeRequestError } from '../../errors'
import type {
  IdempotencyKey,
  IdempotencyRecord,
  Storage,
  StoredChangeRequest,
  TransactionStorage,
  Write,
} from '../../ports/storage'
import { toEventRows } from '../events/event-rows'
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
  /** Settles, and never rejects, when `decide` may be called; it is waited for while the change request is read. */
  readonly ready?: Promise<void>
  /** @throws ChangeRequestError when a rule refuses. */
  decide(current: StoredChangeRequest | undefined, ids: FreshIds): Decision
  /** What is stored for a retry of the call, in the same commit. Such a command is committed alone. */
  readonly idempotency?: {
    readonly key: IdempotencyKey
    readonly since: string
    record(stored: StoredChangeRequest): IdempotencyRecord
  }
}

/** Another process has meanwhile carried out a call with the same key. */
export class DoneElsewhere extends Error {
  readonly record: IdempotencyRecord

  constructor(record: IdempotencyRecord) {
    super('The call was carried out by another process.')
    this.record = record
  }
}

interface Job {
  readonly command: Command
  readonly load: Load
  readonly resolve: (stored: StoredChangeRequest) => void
  readonly reject: (error: unknown) => void
}

/** Work that has the queue of its change request to itself. */
interface Exclusive {
  readonly run: () => Promise<void>
}

export type Load = () => Promise<StoredChangeRequest | undefined>

/** More than a few: several processes that write to one change request each lose to all of the others in turn. */
const tries = 12
const longestPauseMs = 100
const mostTogether = 100

/**
 * Runs load, decide, commit. Commands for the same change request that meet in this process queue up: those that wait
 * are decided one after the other on one load, and committed together.
 */
export class AggregateWriter {
  readonly #queues = new Map<string, (Job | Exclusive)[]>()
  readonly #draining = new Set<Promise<void>>()
  readonly #storage: Storage
  readonly #linkBase: string

  constructor(storage: Storage, linkBase: string) {
    this.#storage = storage
    this.#linkBase = linkBase
  }

  /** Resolves with what is stored when the command is committed, rejects with what refused it. */
  write(key: string, load: Load, command: Command): Promise<StoredChangeRequest> {
    return new Promise((resolve, reject) => this.#enqueue(key, { command, load, resolve, reject }))
  }

  /** Runs work that no other write of this process to the same change request may meet. */
  runExclusive<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#enqueue(key, { run: () => work().then(resolve, reject) })
    })
  }

  /** Tries again what lost a race, each time on what is stored then; `undefined` stands for a race lost. */
  async retryOnConflict<Value>(attempt: (first: boolean) => Promise<Value | undefined>): Promise<Value> {
    for (let count = 1; count <= tries; count += 1) {
      if (count > 1) await pause(count)
      const value = await attempt(count === 1).catch((error: unknown) => {
        if (isLostRace(this.#storage, error)) return undefined
        throw error
      })
      if (value !== undefined) return value
    }
    throw new ChangeRequestError('UnavailableError', 'Too many others write to this change request. Try again.', {
      retryAfter: 1,
    })
  }

  /** Commits one decision on what was loaded; undefined when somebody was faster. */
  async commit(
    loaded: StoredChangeRequest | undefined,
    decision: Decision,
    storage: TransactionStorage = this.#storage,
  ): Promise<StoredChangeRequest | undefined> {
    const stored = { version: (loaded?.version ?? 0) + 1, changeRequest: decision.changeRequest }
    return (await storage.commit(this.#toWrite(loaded, stored, decision))) ? stored : undefined
  }

  /** Makes {@link idle} wait for work that has no queue, such as a gateway that takes its time. */
  track<Value>(work: Promise<Value>): Promise<Value> {
    const ended: Promise<void> = work
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#draining.delete(ended))
    this.#draining.add(ended)
    return work
  }

  /** Settles when no command is waiting or under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#draining)
  }

  #enqueue(key: string, job: Job | Exclusive): void {
    const queue = this.#queues.get(key)
    if (queue !== undefined) {
      queue.push(job)
      return
    }
    const fresh = [job]
    this.#queues.set(key, fresh)
    const draining = this.#drain(key, fresh).finally(() => this.#draining.delete(draining))
    this.#draining.add(draining)
  }

  async #drain(key: string, queue: (Job | Exclusive)[]): Promise<void> {
    while (queue.length > 0) {
      const jobs = takeTogether(queue)
      if (jobs.length === 0) await (queue.shift() as Exclusive).run()
      else {
        const rest = await this.#together(jobs).catch((error: unknown) => {
          for (const { reject } of jobs) reject(error)
          return []
        })
        queue.unshift(...rest)
      }
    }
    this.#queues.delete(key)
  }

  /** Answers the jobs that must wait because the change request was removed before them. */
  #together(jobs: readonly Job[]): Promise<readonly Job[]> {
    const { load, command } = jobs[0] as Job
    return this.retryOnConflict(async (first) => {
      const { idempotency } = command
      const earlier =
        first || idempotency === undefined
          ? undefined
          : await this.#storage.findIdempotencyRecord(idempotency.key, idempotency.since)
      if (earlier !== undefined) throw new DoneElsewhere(earlier)
      const [loaded] = await Promise.all([load(), ...jobs.map((job) => job.command.ready)])
      const chain = decideAll(jobs, loaded, await this.#drawIds(jobs, loaded))
      if (chain.last !== undefined) {
        const write = this.#toWrite(loaded, chain.last, chain, idempotency?.record(chain.last))
        if (!(await this.#storage.commit(write))) return undefined
      }
      for (const settle of chain.settle) settle()
      return chain.rest
    })
  }

  async #drawIds(jobs: readonly Job[], loaded: StoredChangeRequest | undefined): Promise<FreshIds> {
    const count = jobs.reduce((sum, { command }) => sum + command.changeIds, 0)
    if (count === 0) return { changeRequest: 0, changes: [] }
    const [changes, [changeRequest = 0]] = await Promise.all([
      this.#storage.nextIds('change', count),
      loaded === undefined ? this.#storage.nextIds('changeRequest', 1) : [],
    ])
    return { changeRequest, changes }
  }

  #toWrite(
    loaded: StoredChangeRequest | undefined,
    last: StoredChangeRequest,
    { events, removed }: Pick<Decision, 'events' | 'removed'>,
    idempotency?: IdempotencyRecord,
  ): Write {
    return {
      ...last,
      summary: summarize(last.changeRequest),
      expectedVersion: loaded?.version ?? 0,
      open: isOpen(last.changeRequest.state),
      subjects: subjectsOf(last.changeRequest),
      ...(removed === true ? { removed } : {}),
      events: toEventRows(events, this.#linkBase),
      ...(idempotency === undefined ? {} : { idempotency }),
    }
  }
}

/** The jobs at the head of the queue that may share a commit; none when the head must be alone. */
function takeTogether(queue: (Job | Exclusive)[]): Job[] {
  const jobs: Job[] = []
  while (jobs.length < mostTogether) {
    const next = queue[0]
    if (next === undefined || 'run' in next || (next.command.idempotency !== undefined && jobs.length > 0)) break
    jobs.push(next)
    queue.shift()
    if (next.command.idempotency !== undefined) break
  }
  return jobs
}

/** Decides each command on what the one before it left; a refusal leaves it as it was. */
function decideAll(jobs: readonly Job[], loaded: StoredChangeRequest | undefined, ids: FreshIds) {
  const events: Decision['events'][number][] = []
  const settle: (() => void)[] = []
  let current = loaded
  let last: StoredChangeRequest | undefined
  let used = 0
  for (const [index, { command, resolve, reject }] of jobs.entries()) {
    const changes = ids.changes.slice(used, used + command.changeIds)
    used += command.changeIds
    try {
      const decision = command.decide(current, { ...ids, changes })
      const same = current !== undefined && decision.changeRequest === current.changeRequest && !decision.removed
      const stored = same ? current : { version: (current?.version ?? 0) + 1, changeRequest: decision.changeRequest }
      if (stored === undefined) throw new Error('A decision left nothing behind.')
      events.push(...decision.events)
      if (!same) last = stored
      current = stored
      settle.push(() => resolve(stored))
      if (decision.removed) return { last, events, settle, removed: true as const, rest: jobs.slice(index + 1) }
    } catch (error) {
      settle.push(() => reject(error))
    }
  }
  return { last, events, settle, rest: [] }
}

function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(longestPauseMs, 2 ** attempt)))
}
