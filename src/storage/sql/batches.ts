import type { Outcome } from './database/batched'
import type { Database, Entry } from './database/database'

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

export function outcomes<Value>(values: readonly Value[]): Outcome<Value>[] {
  return values.map((value) => ({ value }))
}

export function unwrap<Value>(outcome: Outcome<Value> | undefined): Value {
  if (outcome === undefined) throw new Error('The database returned no result for the call.')
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
