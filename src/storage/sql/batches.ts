import { batched, type Outcome } from './database/batched'
import type { Database, Entry, IdKind } from './database/database'

/** Writes a batch. If the database rejects it, the entries are written one by one, so that only the invalid ones fail. */
export async function writeBatch(
  database: Pick<Database<unknown>, 'write' | 'isRejection'>,
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

/** Reads the ids for concurrent calls with one statement. */
export function batchedIds(database: Pick<Database<unknown>, 'nextIds'>, kind: IdKind) {
  return batched(async (counts: readonly number[]) => {
    const ids = await database.nextIds(
      kind,
      counts.reduce((sum, count) => sum + count, 0),
    )
    return outcomes(counts.map((count) => ids.splice(0, count)))
  })
}

export function outcomes<Value>(values: readonly Value[]): Outcome<Value>[] {
  return values.map((value) => ({ value }))
}

export function unwrap<Value>(outcome: Outcome<Value> | undefined): Value {
  if (outcome === undefined) throw new Error('The database returned no result for the call.')
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
