import { ChangeRequestError } from '../../errors'
import { pause, pauseAfter } from '../../pause'
import { type Classifier, isLostRace } from '../host/failures'

/** High, because a process may lose the race to every other process that writes to the same change request. */
const tries = 12
const firstPauseMs = 2
const longestPauseMs = 100

/** The result of an attempt, or what the next one starts from. */
export type Attempt<Value, State> = { readonly value: Value } | { readonly next: State }

/** Retries after a lost race, each time on the stored content; `undefined` stands for a lost race. */
export function retryOnConflict<Value>(
  storage: Classifier,
  attempt: (first: boolean) => Promise<Value | undefined>,
  onRetry: () => void,
): Promise<Value> {
  const start = undefined
  const counted = async (_: typeof start, count: number): Promise<Attempt<Value, typeof start>> => {
    const value = await attempt(count === 1)
    return value === undefined ? { next: undefined } : { value }
  }
  return retryFrom(storage, start, counted, onRetry)
}

/** The same for attempts that learn something; after a race that the storage reports, the next one starts as this one. */
export async function retryFrom<Value, State>(
  storage: Classifier,
  start: State,
  attempt: (state: State, count: number) => Promise<Attempt<Value, State>>,
  onRetry: () => void,
): Promise<Value> {
  let state = start
  for (let count = 1; count <= tries; count += 1) {
    if (count > 1) {
      onRetry()
      await pause(pauseAfter(count, firstPauseMs, longestPauseMs))
    }
    const result: Attempt<Value, State> = await attempt(state, count).catch((error: unknown) => {
      if (isLostRace(storage, error)) return { next: state }
      throw error
    })
    if ('value' in result) return result.value
    state = result.next
  }
  const text = 'Too many concurrent writes to this change request. Try again.'
  throw new ChangeRequestError('UnavailableError', text, { retryAfter: 1 })
}

/** In random order, so that concurrent processes rarely try the same item. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const all = [...items]
  for (let index = all.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1))
    ;[all[index], all[other]] = [all[other] as Item, all[index] as Item]
  }
  return all
}
