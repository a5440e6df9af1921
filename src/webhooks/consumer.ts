import { Agent as HttpAgent } from 'node:http'
import { Agent } from 'node:https'
import type { EventView } from '../generated/index'
import { type Consumer, type ConsumerContext, ConsumerRetry, ConsumerStop } from '../ports/consumers'
import { telemetryOf } from '../ports/telemetry'
import { toMessage } from './message'
import { isChat, type ResolvedTarget } from './options'
import { BodyError, chatBody, ownBody } from './own-body'
import { NoResponse, post, type Response } from './post'

const minute = 60_000
/** After the first failure, the second, and so on; the last one repeats. */
const pausesMs: readonly number[] = [5_000, 30_000, 2 * minute, 10 * minute, 30 * minute, 60 * minute]
const maxPauseMs = 60 * minute
const jitter = 0.2

export type Surroundings = typeof defaultSurroundings

export const defaultSurroundings = {
  timeoutMs: 15_000,
  random: Math.random,
  now: () => new Date(),
}

export function toConsumer(target: ResolvedTarget, surroundings: Surroundings): Consumer {
  const { name, filter, url } = target
  const ownAgent = target.agent === undefined ? keepAliveAgent(url) : undefined
  const agent = target.agent ?? (ownAgent as Agent)
  return {
    name,
    filter,
    async handle(events, context) {
      const { attempt, failingSince, signal, done } = context
      let failures = attempt - 1
      let since = failingSince
      for (const event of events) {
        const problem = await problemWith(event, context)
        if (signal.aborted) throw new Error('The attempt was aborted.')
        if (problem !== undefined) throw toOutcome(event, problem, failures, since)
        await done(event.id)
        failures = 0
        since = null
      }
    },
    close: () => ownAgent?.destroy(),
  }

  /** Undefined if the receiver has accepted the event. */
  async function problemWith(event: EventView, context: ConsumerContext) {
    const { signal, log, describe } = context
    const { timeoutMs } = surroundings
    try {
      const { body, format } = target
      const own = isChat(format)
        ? await chatBody(format, event, describe, timeoutMs, signal)
        : body && (await ownBody(body, event, timeoutMs, signal))
      const message = toMessage(target, log, event, surroundings.now(), own)
      const send = () => post(url, message, agent, timeoutMs, signal)
      const response = await telemetryOf(context).span('webhook.attempt', send, {
        duration: 'webhookDuration',
        attributes: (result) => ({ consumer: name, ...(result && { status: result.status }) }),
        failureOf: (result) => (isAccepted(result) ? undefined : { error: result }),
      })
      return isAccepted(response) ? undefined : response
    } catch (error) {
      if (error instanceof NoResponse || error instanceof BodyError) return error.message
      return 'the request could not be created'
    }
  }

  /** The messages name the target, the event and the status: the log and `health()` show them. */
  function toOutcome({ id }: EventView, problem: Response | string, failures: number, since: string | null): Error {
    const what = typeof problem === 'string' ? problem : `the response was ${problem.status}`
    const text = `${name}: event ${id} was not delivered: ${what}.`
    const now = surroundings.now()
    const isOver = since !== null && now.getTime() - Date.parse(since) >= target.stopAfterMs
    const isGone = typeof problem !== 'string' && problem.status === 410
    if (isGone || isOver) return new ConsumerStop(isGone ? text : `${text} It has failed since ${since}.`)
    const base = pausesMs[Math.min(failures, pausesMs.length - 1)] as number
    const pauseMs = Math.round(base * (1 - jitter + 2 * jitter * surroundings.random()))
    const wantedMs = typeof problem === 'string' ? 0 : retryAfterMs(problem, now)
    return new ConsumerRetry({ afterMs: Math.min(maxPauseMs, Math.max(pauseMs, wantedMs)) }, text)
  }
}

function isAccepted({ status }: Response): boolean {
  return status >= 200 && status < 300
}

function keepAliveAgent({ protocol }: URL): Agent {
  const options = { keepAlive: true, maxSockets: 1 }
  return protocol === 'https:' ? new Agent(options) : (new HttpAgent(options) as Agent)
}

/** The pause in `Retry-After`: seconds, or a date. */
function retryAfterMs({ status, headers }: Response, now: Date): number {
  const text = headers['retry-after']
  if (text === undefined || (status !== 429 && status !== 503)) return 0
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0)
}
