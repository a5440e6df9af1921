import { batched, type Outcome } from './shared/batched'
import type { Database, Entry, IdKind } from './shared/database'

/** Writes a batch. When the database rejects it as a whole, its entries are written one by one, so that a bad one fails alone. */
export async function writeTogether(
  database: Database,
  entries: readonly Entry[],
): Promise<readonly Outcome<boolean>[]> {
  try {
    return await database.write(entries)
  } catch (error) {
    if (entries.length === 1 || !database.isRefusal(error)) throw error
  }
  const alone: Outcome<boolean>[] = []
  for (const entry of entries) {
    alone.push(
      await database.write([entry]).then(
        ([outcome]) => outcome ?? { error: new Error('The database answered no outcome.') },
        (error: unknown) => ({ error }),
      ),
    )
  }
  return alone
}

/** Ids for calls that arrive at the same time, drawn with one statement. */
export function drawnTogether(database: Database, kind: IdKind) {
  return batched(async (counts: readonly number[]) => {
    const drawn = await database.nextIds(
      kind,
      counts.reduce((sum, count) => sum + count, 0),
    )
    return outcomes(counts.map((count) => drawn.splice(0, count)))
  })
}

export function outcomes<Value>(values: readonly Value[]): Outcome<Value>[] {
  return values.map((value) => ({ value }))
}

export function unwrap<Value>(outcome: Outcome<Value> | undefined): Value {
  if (outcome === undefined) throw new Error('The database answered no outcome.')
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
