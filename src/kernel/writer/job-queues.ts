const maxInBatch = 100

interface Exclusive {
  readonly run: () => Promise<void>
}

export interface BatchRunner<Job> {
  /** True for a job that must be alone in its batch. */
  isSingle(job: Job): boolean
  /** Runs jobs of one key as a batch, and returns those that must wait for the next batch. It never rejects. */
  run(jobs: readonly Job[]): Promise<readonly Job[]>
}

/** Jobs with the same key run in their order, never concurrently. Adjacent jobs that wait run as one batch. */
export class JobQueues<Job extends object> {
  readonly #queues = new Map<string, (Job | Exclusive)[]>()
  readonly #running = new Set<Promise<void>>()
  readonly #runner: BatchRunner<Job>

  constructor(runner: BatchRunner<Job>) {
    this.#runner = runner
  }

  isEmpty(key: string): boolean {
    return !this.#queues.has(key)
  }

  runExclusive<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.push(key, { run: () => work().then(resolve, reject) })
    })
  }

  track<Value>(work: Promise<Value>): Promise<Value> {
    const settled: Promise<void> = Promise.allSettled([work]).then(() => void this.#running.delete(settled))
    this.#running.add(settled)
    return work
  }

  /** Resolves when all jobs that were running or waiting at the call have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }

  push(key: string, job: Job | Exclusive): void {
    const queue = this.#queues.get(key)
    if (queue !== undefined) {
      queue.push(job)
      return
    }
    const fresh = [job]
    this.#queues.set(key, fresh)
    void this.track(this.#drain(key, fresh))
  }

  async #drain(key: string, queue: (Job | Exclusive)[]): Promise<void> {
    while (queue.length > 0) {
      const batch = this.#takeBatch(queue)
      if (batch.length === 0) await (queue.shift() as Exclusive).run()
      else queue.unshift(...(await this.#runner.run(batch)))
    }
    this.#queues.delete(key)
  }

  /** The first jobs of the queue that can run as a batch; none if exclusive work comes first. */
  #takeBatch(queue: (Job | Exclusive)[]): Job[] {
    const batch: Job[] = []
    while (batch.length < maxInBatch) {
      const next = queue[0]
      if (next === undefined || 'run' in next) break
      const single = this.#runner.isSingle(next)
      if (single && batch.length > 0) break
      batch.push(next)
      queue.shift()
      if (single) break
    }
    return batch
  }
}
