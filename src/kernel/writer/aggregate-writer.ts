import { listedFacts } from '../../domain/content/summary'
import type { Decision } from '../../domain/decisions/decision'
import { type StateChange, stateChanges } from '../../domain/events/state-changes'
import { instantOf } from '../../domain/instants'
import type { LinkOptions } from '../../domain/links'
import type { StoredChangeRequest, Write } from '../../ports/storage/change-requests'
import type { IdempotencyKey, IdempotencyRecord } from '../../ports/storage/idempotency'
import type { Storage } from '../../ports/storage/storage'
import { noTelemetry, type Telemetry } from '../../ports/telemetry'
import { toEventRows } from '../log/event-rows'
import {
  type Clock,
  decideAll,
  type Loaded,
  nextVersion,
  traced,
  type Undecided,
  type UndecidedJob,
} from './decide-all'
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
  readonly #telemetry: Telemetry
  readonly #queues = new JobQueues<Job>({
    isSingle: ({ command }) => command.idempotency !== undefined,
    // The queue runs in the span of the job that began it.
    run: (jobs) =>
      (jobs[0] as Job).scope.run(() =>
        this.#writeTogether(jobs).catch((error: unknown) => {
          for (const { reject } of jobs) reject(error)
          return []
        }),
      ),
  })

  constructor(storage: Storage, options: WriterOptions, telemetry = noTelemetry) {
    this.#storage = storage
    this.#options = options
    this.#telemetry = telemetry
  }

  /** Resolves after the commit. @param read what the caller has just read: decided on first if nothing else is running */
  write(key: string, load: Load, command: WriteJob, read?: StoredChangeRequest): Promise<StoredChangeRequest> {
    const found = this.#queues.isEmpty(key) ? read : undefined
    const scope = this.#telemetry.scope()
    return new Promise((resolve, reject) => this.#queues.push(key, { command, scope, load, found, resolve, reject }))
  }

  runExclusive<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const scope = this.#telemetry.scope()
    return this.#queues.runExclusive(key, () => scope.run(work))
  }

  retryOnConflict<Value>(attempt: (first: boolean) => Promise<Value | undefined>): Promise<Value> {
    return retryOnConflict(this.#storage, attempt, this.#countRetry)
  }

  retryFrom<Value, State>(start: State, attempt: (state: State) => Promise<Attempt<Value, State>>): Promise<Value> {
    return retryFrom(this.#storage, start, attempt, this.#countRetry)
  }

  async commit(loaded: StoredChangeRequest | undefined, decision: Decision): Promise<StoredChangeRequest | undefined> {
    const { stored, write } = this.prepare(loaded, decision)
    if (!(await this.#telemetry.span('commit', () => this.#storage.commit(write)))) return undefined
    this.committed(loaded, decision)
    return stored
  }

  /** The write of a decision, for a transaction. The caller reports {@link committed} after it. */
  prepare(loaded: StoredChangeRequest | undefined, decision: Decision): { stored: StoredChangeRequest; write: Write } {
    const stored = nextVersion(loaded, decision, this.#options.clock)
    const events = traced(decision.events, this.#telemetry.scope().traceparent)
    return { stored, write: this.#toWrite(loaded, stored, { ...decision, events }) }
  }

  /** Measures a write that was committed. @param commands the number of commands that it stored */
  committed(
    loaded: StoredChangeRequest | undefined,
    { changeRequest, events }: Pick<Decision, 'changeRequest' | 'events'>,
    commands = 1,
  ): void {
    const telemetry = this.#telemetry
    if (!telemetry.isOn) return
    const { project, environment } = changeRequest
    const place = { project, environment }
    telemetry.record('commitBatchSize', commands)
    for (const change of stateChanges(loaded?.changeRequest, events)) {
      const { from, to } = change
      telemetry.record('transitions', 1, { from, to, place })
      const seconds = secondsIn(change)
      if (seconds !== undefined)
        telemetry.record(to === 'Applied' ? 'timeToApply' : 'timeToApproval', seconds, { place })
    }
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
        const links = jobs.slice(1).flatMap(({ scope }) => scope.traceparent ?? [])
        if (!(await this.#telemetry.span('commit', () => this.#storage.commit(write), { links }))) return undefined
        const { changeRequest } = decided.last
        this.committed(loaded.current, { changeRequest, events: decided.events }, jobs.length - decided.rest.length)
      }
      for (const settle of decided.settle) settle()
      return decided.rest
    })
  }

  readonly #countRetry = () => this.#telemetry.record('commitRetries', 1)

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

/** How long the state before lasted that is measured; undefined if none is. */
function secondsIn({ at, since }: StateChange): number | undefined {
  return since === undefined ? undefined : Math.max(0, instantOf(at) - instantOf(since)) / 1_000
}
