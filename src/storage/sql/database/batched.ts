/** The result of one item of a batch: a value, or an error of this item alone. */
export type Outcome<Value> = { readonly value: Value } | { readonly error: unknown }

interface Waiting<Item, Value> {
  readonly item: Item
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

export interface Batched<Item, Value> {
  (item: Item): Promise<Value>
  /** Resolves when no call is waiting or running. */
  idle(): Promise<void>
}

/** What callers do with a result takes up to a millisecond before they wait for something. */
const maxResolvedAtOnce = 8

/** Groups calls that arrive during a run into the next one. If a run rejects, all of its calls reject. */
export function batched<Item, Value>(
  run: (items: readonly Item[]) => Promise<readonly Outcome<Value>[]>,
  maxBatchSize = 100,
): Batched<Item, Value> {
  let waiting: Waiting<Item, Value>[] = []
  let running: Promise<void> | undefined

  async function drain(): Promise<void> {
    const calls = waiting
    waiting = []
    for (let start = 0; start < calls.length; start += maxBatchSize) {
      await settle(calls.slice(start, start + maxBatchSize))
    }
    if (waiting.length === 0) running = undefined
  }

  async function settle(batch: readonly Waiting<Item, Value>[]): Promise<void> {
    try {
      const outcomes = await run(batch.map(({ item }) => item))
      for (const [index, { resolve, reject }] of batch.entries()) {
        if (index > 0 && index % maxResolvedAtOnce === 0) await new Promise(setImmediate)
        const outcome = outcomes[index]
        if (outcome === undefined) reject(new Error('A batch returned fewer results than items.'))
        else if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.value)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const call = (item: Item) =>
    new Promise<Value>((resolve, reject) => {
      // The first call that waits runs the next batch, so that a trace has the batch as a part of that call.
      if (waiting.push({ item, resolve, reject }) > 1) return
      // Requests that were parsed in the same iteration of the event loop join the first batch.
      running = (running ?? new Promise(setImmediate)).then(drain)
    })
  async function idle(): Promise<void> {
    while (running !== undefined) await running
  }
  return Object.assign(call, { idle })
}

/** Writes a batch. If the database rejects it, the entries are written one by one, so that only the invalid ones fail. */
export async function writeBatch<Entry>(
  database: {
    write(entries: readonly Entry[]): Promise<readonly Outcome<boolean>[]>
    isRejection(error: unknown): boolean
  },
  entries: readonly Entry[],
): Promise<readonly Outcome<boolean>[]> {
  try {
    return await database.write(entries)
  } catch (error) {
    if (entries.length === 1 || !database.isRejection(error)) throw error
  }
  const outcomes: Outcome<boolean>[] = []
  for (const entry of entries) {
    outcomes.push(
      await database.write([entry]).then(
        ([outcome]) => outcome ?? { error: new Error('The database returned no result for the call.') },
        (error: unknown) => ({ error }),
      ),
    )
  }
  return outcomes
}

export function outcomes<Value>(values: readonly Value[]): Outcome<Value>[] {
  return values.map((value) => ({ value }))
}

export function unwrap<Value>(outcome: Outcome<Value> | undefined): Value {
  if (outcome === undefined) throw new Error('The database returned no result for the call.')
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
