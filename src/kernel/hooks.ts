import { inspect } from 'node:util'
import { ChangeRequestError } from '../errors'
import type { Limits } from '../options/limits'

/** How long a hook of the host may take. */
export interface HookLimits {
  readonly options: { readonly limits: Pick<Limits, 'hookTimeoutMs'> }
}

/**
 * Calls a hook of the host, for at most `limits.hookTimeoutMs`.
 *
 * @throws ChangeRequestError of the hook as it is; UnavailableError for any other failure, which is neither a yes nor a
 * no.
 */
export async function callHook<Value>(
  { options }: HookLimits,
  hook: string,
  call: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await within(options.limits.hookTimeoutMs, hook, call)
  } catch (error) {
    if (ChangeRequestError.is(error)) throw error
    throw new ChangeRequestError('UnavailableError', `The request could not be checked (${hook}). Try again.`, {
      cause: error,
    })
  }
}

/** Ignores what the hook returns, or rejects with, after the time limit. */
export async function within<Value>(
  timeoutMs: number,
  hook: string,
  call: () => Value | Promise<Value>,
): Promise<Value> {
  const answer = call()
  // Most hooks return at once, and a timer costs more than they do.
  if (typeof (answer as PromiseLike<Value> | null)?.then !== 'function') return answer
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HookTimeoutError(hook, timeoutMs)), timeoutMs).unref()
  })
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** A hook of the host did not answer in time. */
export class HookTimeoutError extends Error {
  override readonly name = 'HookTimeoutError'

  constructor(hook: string, timeoutMs: number) {
    super(`${hook} did not answer within ${timeoutMs} ms.`)
  }
}

/**
 * A hook of the host returned a wrong type. Only the log gets the details.
 *
 * @param received as {@link describeValue} describes it
 */
export function wrongAnswer(hook: string, received: string, expected: string): ChangeRequestError {
  return new ChangeRequestError('UnknownError', 'Something went wrong. The id of this answer stands in the log.', {
    cause: new WrongAnswerError(`${hook} answered ${received}; it must be ${expected}.`),
  })
}

/** What is wrong with the answer of a hook; the log shows its message. */
export class WrongAnswerError extends TypeError {
  override readonly name = 'WrongAnswerError'
}

/** Describes a value of the host for its log: short, on one line, without the content of an object. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  return inspect(value, { maxStringLength: 50 })
}
