import { type Client, ClientError } from '../../client/index'
import { maxTimerMs, pause } from '../../client/retry'
import type { ReviewView } from '../../generated/index'
import { UsageError } from '../command'
import type { Place } from './api'
import { type Report, stateLine, waitsForCheck } from './report'

const units = { s: 1_000, m: 60_000, h: 3_600_000 } as const
const pollMs = 5_000
/** While the event stream is open, the review is still read now and then: not all that decides is an event. */
const openPollMs = 60_000
/** A report of a check is no event. */
const checkPollMs = 15_000
const maxRetryMs = 5_000

export class TimeoutError extends Error {}

/** Milliseconds for `90s`, `20m` or `2h`. @throws UsageError */
export function parseDuration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? []
  if (count === undefined) throw new UsageError('--wait must be a duration such as 90s, 20m or 2h.')
  return Number(count) * units[unit as keyof typeof units]
}

/** Until when a command waits; without a duration it does not wait. */
export class Deadline {
  readonly signal: AbortSignal
  readonly #waits: boolean

  constructor(waitMs: number | undefined) {
    this.#waits = waitMs !== undefined
    this.signal =
      waitMs === undefined ? new AbortController().signal : AbortSignal.timeout(Math.min(waitMs, maxTimerMs))
  }

  /** Repeats the call while the server is busy or cannot be reached. @throws TimeoutError */
  async retry<Value>(call: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, maxRetryMs)) {
      try {
        return await call(this.signal)
      } catch (error) {
        this.#throwTimeout()
        if (!this.#waits || !(error instanceof ClientError) || !error.isTemporary) throw error
        await this.pause(Math.max(pauseMs, (error.retryAfter ?? 0) * 1_000))
        this.#throwTimeout()
      }
    }
  }

  /** Ends early at the deadline. */
  pause(ms: number, signal = this.signal): Promise<void> {
    return pause(ms, AbortSignal.any([this.signal, signal]))
  }

  #throwTimeout(): void {
    if (this.signal.aborted) throw new TimeoutError()
  }
}

/** Reports each step and what is missing; undefined if it was discarded. @throws TimeoutError */
export async function waitUntil(
  isDecided: (review: ReviewView) => boolean,
  { client, place, deadline, report }: { client: Client; place: Place; deadline: Deadline; report: Report },
): Promise<ReviewView | undefined> {
  let reported = ''
  const ended = new AbortController()
  const wake = follow(client, place.project, AbortSignal.any([deadline.signal, ended.signal]))
  try {
    for (;;) {
      const review = await deadline.retry((signal) => readReview(client, place, signal))
      if (review === undefined || isDecided(review)) return review
      const line = stateLine(review)
      if (line !== reported) report.progress(line)
      reported = line
      await wake(deadline, waitsForCheck(review) ? checkPollMs : openPollMs)
      if (deadline.signal.aborted) throw new TimeoutError()
    }
  } finally {
    ended.abort()
  }
}

/** Undefined if there is none: a draft that was discarded. */
export async function readReview(client: Client, place: Place, signal?: AbortSignal): Promise<ReviewView | undefined> {
  try {
    return (await client.review(place, { signal })).body
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined
    throw error
  }
}

/** @throws ClientError while the flags cannot be read: what would be applied is then unknown. */
export function requireDigest({ digest }: ReviewView): string {
  if (digest !== null) return digest
  const message = 'The current flags could not be read, so what would be applied is unknown. Try again.'
  throw new ClientError({ status: 503, name: 'UnavailableError', message })
}

/** Follows the events of the project, if the key can read them. Returns a function that waits for the next one, or a while: `openMs` if it can read them. */
function follow(client: Client, project: string, signal: AbortSignal) {
  let isOpen = false
  let received = new AbortController()
  const notify = () => received.abort()
  const onStatus = (status: 'open' | 'lost') => {
    isOpen = status === 'open'
    notify()
  }
  const run = async () => {
    for await (const _ of client.follow({ project }, { signal, onStatus })) notify()
  }
  // Without the permission to read events, the review is requested at an interval.
  run().catch(() => onStatus('lost'))
  return async (deadline: Deadline, openMs: number): Promise<void> => {
    await deadline.pause(isOpen ? openMs : pollMs, received.signal)
    received = new AbortController()
  }
}
