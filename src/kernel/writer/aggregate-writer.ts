import { listedFacts } from '../../domain/content/summary'
import type { Decision } from '../../domain/decisions/decision'
import type { LinkOptions } from '../../domain/links'
import type { StoredChangeRequest, Write } from '../../ports/storage/change-requests'
import type { IdempotencyKey, IdempotencyRecord } from '../../ports/storage/idempotency'
import type { Storage, TransactionStorage } from '../../ports/storage/storage'
import { toEventRows } from '../log/event-rows'
import { type Clock, decideAll, type Loaded, nextVersion, type Undecided, type UndecidedJob } from './decide-all'
import { JobQueues } from './job-queues'
import { type Attempt, retryFrom, retryOnConflict } from './retry-on-conflict'
import { storedFacts } from './stored-facts'

export interface WriteJob extends Undecided {
  /** The record for a retry of the call, stored in the same commit. Such a write is not batched with others. */
  readonly idempotency?: {
    readonly key: IdempotencyKey
    readonly since: string
    record(stored: StoredChangeRequest): IdempotencyRecord
  }
}

/** Another process has already run a call with the same key. */
export class DoneElsewhere extends Error {
  readonly record: IdempotencyRecord

  constructor(record: IdempotencyRecord) {
    super('Another process has run this call.')
    this.record = record
  }
}

export interface WriterOptions extends LinkOptions {
  readonly clock: Clock
}

/** Reads the content that commands are decided on, unless it was read before, and allocates the ids that they need. */
export type Load = (changeIds: number, found?: StoredChangeRequest) => Promise<Loaded>

interface Job extends UndecidedJob<WriteJob> {
  readonly load: Load
  /** What the caller has read. Absent for a job that had to wait: the jobs before it write, too. */
  readonly found?: StoredChangeRequest | undefined
}

/**
 * Loads, decides and commits. Concurrent commands for the same change request wait in a queue of this process. All waiting
 * commands are decided one after the other on one load, and committed together.
 */
export class AggregateWriter {
  readonly #storage: Storage
  readonly #options: WriterOptions
  readonly #queues = new JobQueues<Job>({
    isSingle: ({ command }) => command.idempotency !== undefined,
    run: (jobs) =>
      this.#writeTogether(jobs).catch((error: unknown) => {
        for (const { reject } of jobs) reject(error)
        return []
      }),
  })

  constructor(storage: Storage, options: WriterOptions) {
    this.#storage = storage
    this.#options = options
  }

  /** Resolves after the commit. @param read what the caller has just read: decided on first if nothing else is running */
  write(key: string, load: Load, command: WriteJob, read?: StoredChangeRequest): Promise<StoredChangeRequest> {
    const found = this.#queues.isEmpty(key) ? read : undefined
    return new Promise((resolve, reject) => this.#queues.push(key, { command, load, found, resolve, reject }))
  }

  runExclusive<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    return this.#queues.runExclusive(key, work)
  }

  retryOnConflict<Value>(attempt: (first: boolean) => Promise<Value | undefined>): Promise<Value> {
    return retryOnConflict(this.#storage, attempt)
  }

  retryFrom<Value, State>(start: State, attempt: (state: State) => Promise<Attempt<Value, State>>): Promise<Value> {
    return retryFrom(this.#storage, start, attempt)
  }

  async commit(
    loaded: StoredChangeRequest | undefined,
    decision: Decision,
    storage: TransactionStorage = this.#storage,
  ): Promise<StoredChangeRequest | undefined> {
    const { stored, write } = this.prepare(loaded, decision)
    return (await storage.commit(write)) ? stored : undefined
  }

  prepare(loaded: StoredChangeRequest | undefined, decision: Decision): { stored: StoredChangeRequest; write: Write } {
    const stored = nextVersion(loaded, decision, this.#options.clock)
    return { stored, write: this.#toWrite(loaded, stored, decision) }
  }

  /** Makes {@link idle} also wait for work that is in no queue, such as the call of a slow gateway. */
  track<Value>(work: Promise<Value>): Promise<Value> {
    return this.#queues.track(work)
  }

  idle(): Promise<void> {
    return this.#queues.idle()
  }

  /** Returns the jobs that must wait, because a job before them removed the change request. */
  #writeTogether(jobs: readonly Job[]): Promise<readonly Job[]> {
    const { load, command, found } = jobs[0] as Job
    return this.retryOnConflict(async (first) => {
      const { idempotency } = command
      const earlier =
        first || idempotency === undefined
          ? undefined
          : await this.#storage.findIdempotencyRecord(idempotency.key, idempotency.since)
      if (earlier !== undefined) throw new DoneElsewhere(earlier)
      const changeIds = jobs.reduce((sum, job) => sum + job.command.changeIds, 0)
      const loaded = await load(changeIds, first ? found : undefined)
      const decided = decideAll(jobs, loaded, this.#options.clock)
      if (decided.last !== undefined) {
        const record = idempotency?.record(decided.last)
        const write = this.#toWrite(loaded.current, decided.last, decided, record)
        if (!(await this.#storage.commit(write))) return undefined
      }
      for (const settle of decided.settle) settle()
      return decided.rest
    })
  }

  #toWrite(
    loaded: StoredChangeRequest | undefined,
    last: StoredChangeRequest,
    { events, removed }: Pick<Decision, 'events' | 'removed'>,
    idempotency?: IdempotencyRecord,
  ): Write {
    return {
      ...last,
      ...storedFacts(last.changeRequest),
      expectedVersion: loaded?.version ?? 0,
      before: loaded === undefined ? null : listedFacts(loaded.changeRequest),
      ...(removed === true ? { removed } : {}),
      events: toEventRows(events, this.#options),
      ...(idempotency === undefined ? {} : { idempotency }),
    }
  }
}
