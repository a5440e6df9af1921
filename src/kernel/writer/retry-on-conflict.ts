import { ChangeRequestError } from '../../errors'
import { type Classifier, isLostRace } from '../host/failures'

/** High, because a process may lose the race to every other process that writes to the same change request. */
const tries = 12
const longestPauseMs = 100

/**
 * Retries after a lost race, each time on the stored content; `undefined` stands for a lost race.
 *
 * @throws UnavailableError if every attempt lost.
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
  throw new ChangeRequestError('UnavailableError', 'Too many concurrent writes to this change request. Try again.', {
    retryAfter: 1,
  })
}

function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(longestPauseMs, 2 ** attempt)))
}
