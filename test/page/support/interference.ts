import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHandler, Response } from 'express'

interface Refusal {
  readonly status: number
  readonly name: string
  readonly retryAfter?: string
  readonly code?: string
}

/** The response of a proxy. */
interface OtherAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The request is still passed to the host. @defaultValue false */
  readonly isCarriedOut?: boolean
}

/** The header of a request that no browser sent: it is never intercepted. */
export const withoutBrowser = 'x-without-browser'

/** A proxy between a browser and a host: it records each request, and responds to some by itself. */
export interface Interference {
  readonly handler: RequestHandler
  /** The requests, oldest first; `line` is `METHOD path accepted`, and for a stream that continues ` after ` its position. */
  readonly requests: { readonly line: string; readonly headers: IncomingHttpHeaders }[]
  /** The requests whose line matches. */
  received(fits: RegExp): Interference['requests']
  /** How many event streams are open. */
  streams(): number
  /** Breaks all event streams that are open. */
  breakStreams(): void
  /** Calls back at the next request whose line matches, before it is passed to the host. */
  before(fits: RegExp, act: () => void): void
  /** Rejects requests whose line matches, so that they change nothing, until the returned function is called. */
  refuse(fits: RegExp, refusal: Refusal): () => void
  /** Responds to requests whose line matches as a proxy does, until the returned function is called. */
  answer(fits: RegExp, answer: OtherAnswer): () => void
  /**
   * Holds back requests whose line matches, until the returned function is called. A rejection or loss that ended in the
   * meantime no longer affects them, so it does not matter whether the page retries by itself.
   */
  hold(fits: RegExp): () => void
  /**
   * Passes requests whose line matches to the host and loses their responses, until the returned function is called.
   * Chromium repeats such a request by itself, whose response is lost as well.
   */
  lose(fits: RegExp): () => void
  /** The same for one response: the repeat of Chromium gets its response. */
  loseOnce(fits: RegExp): void
}

export function createInterference(): Interference {
  const requests: Interference['requests'] = []
  const acts = new Map<RegExp, () => void>()
  const answers = new Map<RegExp, OtherAnswer>()
  const holds = new Map<RegExp, Promise<void>>()
  const losses = new Map<RegExp, boolean>()
  const streams = new Set<Response>()
  const answer: Interference['answer'] = (fits, other) => {
    answers.set(fits, other)
    return () => void answers.delete(fits)
  }
  return {
    requests,
    received: (fits) => requests.filter(({ line }) => fits.test(line)),
    streams: () => streams.size,
    breakStreams() {
      for (const stream of streams) stream.destroy()
    },
    async handler(req, res, next) {
      if (req.headers[withoutBrowser] !== undefined) return next()
      const position = req.headers['last-event-id']
      const after = position === undefined ? '' : ` after ${position}`
      const line = `${req.method} ${req.originalUrl} ${req.headers.accept ?? ''}${after}`
      requests.push({ line, headers: req.headers })
      for (const [fits, released] of holds) if (fits.test(line)) await released
      for (const [fits, act] of acts) {
        if (!fits.test(line)) continue
        acts.delete(fits)
        act()
      }
      const other = [...answers].find(([fits]) => fits.test(line))?.[1]
      if (other !== undefined) {
        answerWith(res, other)
        if (!other.isCarriedOut) return void res.end()
      }
      if (req.headers.accept?.includes('text/event-stream')) {
        streams.add(res)
        res.once('close', () => streams.delete(res))
      }
      const loss = [...losses].find(([fits]) => fits.test(line))
      if (loss !== undefined) {
        const [fits, isOnce] = loss
        if (isOnce) losses.delete(fits)
        res.end = () => res.destroy()
      }
      next()
    },
    before: (fits, act) => void acts.set(fits, act),
    refuse: (fits, { status, name, retryAfter, code }) => {
      const message = `The test answers ${name}.`
      const body = { id: 'a-test', name, message, details: [{ message, ...(code && { code }) }] }
      const headers = { 'Content-Type': 'application/json', ...(retryAfter && { 'Retry-After': retryAfter }) }
      return answer(fits, { status, headers, body: JSON.stringify(body) })
    },
    answer,
    hold(fits) {
      let release = () => {}
      holds.set(fits, new Promise((resolve) => (release = resolve)))
      return () => {
        holds.delete(fits)
        release()
      }
    },
    lose(fits) {
      losses.set(fits, false)
      return () => void losses.delete(fits)
    },
    loseOnce: (fits) => void losses.set(fits, true),
  }
}

/** Replaces the response that the host sends. */
function answerWith(res: Response, { status, headers = {}, body = '' }: OtherAnswer): void {
  const end = res.end.bind(res)
  res.write = () => true
  res.end = () => {
    for (const name of res.getHeaderNames()) res.removeHeader(name)
    res.writeHead(status, headers)
    return end(body)
  }
}
