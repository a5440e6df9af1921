import { ChangeRequestError } from '../../errors'
import { type Classifier, isLostRace } from '../failures'

/** Many, because each of several processes that write to one change request may lose to all others in turn. */
const tries = 12
const longestPauseMs = 100

/**
 * Tries again after a lost race, each time on what is stored then; `undefined` stands for a lost race.
 *
 * @throws UnavailableError when every try lost.
 */
export async function retryOnConflict<Value>(
  storage: Classifier,
  attempt: (first: boolean) => Promise<Value | undefined>,
): Promise<Value> {
  for (let count = 1; count <= tries; count += 1) {
    if (count > 1) await pause(count)
    const value = await attempt(count === 1).catch((error: unknown) => {
      if (isLostRace(storage, error)) return undefined
      throw error
    })
    if (value !== undefined) return value
  }
  throw new ChangeRequestError('UnavailableError', 'Too many others write to this change request. Try again.', {
    retryAfter: 1,
  })
}

function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(longestPauseMs, 2 ** attempt)))
}
