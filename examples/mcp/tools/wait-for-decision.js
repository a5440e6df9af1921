import { setTimeout as sleep } from 'node:timers/promises'
import { ClientError } from 'express-change-requests/client'
import { id, inputSchema, project } from '../schemas.js'
import { toReview } from './read.js'

const pollMs = 5_000
const undecided = ['Draft', 'In review']

export function waitForDecision(client) {
  return {
    description:
      'Waits until people have approved or rejected a change request, at most for the given time. Returns its review, and ' +
      'whether it is decided.',
    inputSchema: inputSchema(
      { project, id, timeout_seconds: { type: 'integer', minimum: 0, maximum: 3_600, default: 50 } },
      ['timeout_seconds'],
    ),
    annotations: { readOnlyHint: true },
    async run({ timeout_seconds: seconds = 50, ...place }, { signal, sendNotification, _meta }) {
      const ends = Date.now() + seconds * 1_000
      const stopped = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000 + 1)])
      let checks = 0
      for await (const _ of occasions(client, place.project, stopped)) {
        const review = await readReview(client, place, ends)
        const decided = review !== undefined && !undecided.includes(review.state)
        if (review !== undefined && (decided || Date.now() >= ends)) return { decided, ...toReview(review) }
        checks += 1
        const { progressToken } = _meta ?? {}
        if (progressToken !== undefined) {
          await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: checks } })
        }
      }
      return { decided: false, ...toReview((await client.review(place)).body) }
    },
  }
}

/** Undefined while the server cannot be reached, until the time is over. */
async function readReview(client, place, ends) {
  try {
    return (await client.review(place)).body
  } catch (error) {
    if (error instanceof ClientError && error.isTemporary && Date.now() < ends) return undefined
    throw error
  }
}

/** When to look: immediately, after each event of the project, and every 5 s, because not every key may read events. */
async function* occasions(client, ofProject, signal) {
  const events = client.follow({ project: ofProject }, { signal })
  const never = new Promise(() => {})
  const next = () => events.next().catch(() => ({ done: true }))
  let event = next()
  while (!signal.aborted) {
    yield
    const timer = new AbortController()
    const pause = sleep(pollMs, undefined, { signal: AbortSignal.any([signal, timer.signal]) }).catch(() => {})
    const first = await Promise.race([event, pause])
    timer.abort()
    if (first !== undefined) event = first.done ? never : next()
  }
}
