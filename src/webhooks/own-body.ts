import { types } from 'node:util'
import type { EventView, ReviewListItemView } from '../generated/index'
import type { ConsumerContext } from '../ports/consumers'
import { toChatMessage } from './chat/chat-message'
import { slackBody } from './chat/slack'
import { teamsBody } from './chat/teams'

/** The function `body` of a target did not return JSON. Its message has nothing of the value, which may be secret. */
export class BodyError extends Error {}

/** @throws BodyError if `create` throws, takes too long or returns no JSON, or when the signal aborts */
export async function ownBody(
  create: (event: EventView) => unknown,
  event: EventView,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  let value: unknown
  try {
    value = await inTime(async () => create(event), timeoutMs, signal)
  } catch (thrown) {
    throw thrown === late ? new BodyError(`the function "body" took longer than ${timeoutMs} ms`) : failed
  }
  let problem: string | undefined
  try {
    const text: string | undefined = JSON.stringify(value, function (this: unknown, key: string, part: unknown) {
      problem ??= problemWith(part, key === '' || Array.isArray(this)) ?? problemWithDate(this, key)
      return problem === undefined ? part : null
    })
    if (problem === undefined) return text
  } catch {
    problem = 'it cannot be converted'
  }
  throw new BodyError(`the function "body" returned no JSON: ${problem}`)
}

/** The message for a chat, as JSON. @throws BodyError if its change request cannot be read, or when the signal aborts */
export async function chatBody(
  format: 'slack' | 'teams',
  event: EventView,
  describe: ConsumerContext['describe'],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  const { project, data, preData } = event
  const id = (data ?? preData)?.changeRequestId
  const read = async () => (typeof id === 'number' && project ? describe(project, id) : null)
  let row: ReviewListItemView | null
  try {
    row = await inTime(read, timeoutMs, signal)
  } catch {
    throw new BodyError('the change request could not be read')
  }
  const message = toChatMessage(event, row)
  return JSON.stringify(format === 'slack' ? slackBody(message) : teamsBody(message))
}

const failed = new BodyError('the function "body" threw an error')
const late = Symbol('late')

/** Rejects with {@link late} when the time is over or the signal aborts. */
async function inTime<Value>(call: () => Promise<Value>, timeoutMs: number, signal: AbortSignal): Promise<Value> {
  let end = () => {}
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(late)
  })
  const timer = setTimeout(end, timeoutMs).unref()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return await Promise.race([call(), ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/** Why a part is no JSON: `JSON.stringify` would leave it out, or send `null` or `{}`. A property may be undefined. */
function problemWith(part: unknown, isRequired: boolean): string | undefined {
  switch (typeof part) {
    case 'undefined':
      return isRequired ? 'undefined' : undefined
    case 'number':
      return Number.isFinite(part) ? undefined : `the number ${part}`
    case 'bigint':
    case 'function':
    case 'symbol':
      return `a ${typeof part}`
    case 'object':
      if (part === null || jsonTags.includes(Object.prototype.toString.call(part))) return undefined
      return 'an object that is no JSON, such as a Map or a promise'
    default:
      return undefined
  }
}

/** `JSON.stringify` asks a date for its text before it calls the replacer; an invalid one answers null. */
function problemWithDate(holder: unknown, key: string): string | undefined {
  const part = (holder as Readonly<Record<string, unknown>>)[key]
  return types.isDate(part) && Number.isNaN(part.getTime()) ? 'an invalid date' : undefined
}

const jsonTags: readonly string[] = ['[object Object]', '[object Array]']
