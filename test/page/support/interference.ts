import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHandler, Response } from 'express'

interface Refusal {
  readonly status: number
  readonly name: string
  readonly retryAfter?: string
  readonly code?: string
}

/** What a proxy answers. */
interface OtherAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The request is carried out all the same. @defaultValue false */
  readonly isCarriedOut?: boolean
}

/** The header of a request that no browser sent: nothing stands in its way. */
export const besideBrowsers = 'x-beside-browsers'

/** What stands between a browser and a host: it notes each request, and answers some by itself. */
export interface Interference {
  readonly handler: RequestHandler
  /** What came in, oldest first; `line` is `METHOD path accepted`, and for a stream that continues ` after ` its position. */
  readonly requests: { readonly line: string; readonly headers: IncomingHttpHeaders }[]
  /** Those whose line fits. */
  received(fits: RegExp): Interference['requests']
  /** How many event streams are open. */
  streams(): number
  /** Breaks all event streams that are open. */
  breakStreams(): void
  /** Does something when the next request whose line fits comes in, before it is carried out. */
  before(fits: RegExp, act: () => void): void
  /** From now on refuses requests whose line fits, so that they change nothing; ends with the function it returns. */
  refuse(fits: RegExp, refusal: Refusal): () => void
  /** From now on answers requests whose line fits, as a proxy does; ends with the function it returns. */
  answer(fits: RegExp, answer: OtherAnswer): () => void
  /**
   * From now on holds back requests whose line fits, until the function it returns is called. Whatever would refuse or lose
   * them has ended by then if it ended meanwhile, so that it does not matter whether the page asks again by itself.
   */
  hold(fits: RegExp): () => void
  /**
   * From now on requests whose line fits are carried out, and their answers get lost; ends with the function it returns.
   * Chromium repeats such a request by itself, which is lost as well.
   */
  lose(fits: RegExp): () => void
  /** The same for one answer: what Chromium repeats by itself is answered. */
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
      if (req.headers[besideBrowsers] !== undefined) return next()
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

/** Whatever is sent then, this is what arrives. */
function answerWith(res: Response, { status, headers = {}, body = '' }: OtherAnswer): void {
  const end = res.end.bind(res)
  res.write = () => true
  res.end = () => {
    for (const name of res.getHeaderNames()) res.removeHeader(name)
    res.writeHead(status, headers)
    return end(body)
  }
}
