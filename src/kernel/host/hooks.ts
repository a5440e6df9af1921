import { inspect, types } from 'node:util'
import { ChangeRequestError } from '../../errors'
import type { Limits } from '../../options/limits'

/** @throws ChangeRequestError of the hook unchanged; UnavailableError for any other failure, and after `limits.hookTimeoutMs`. */
export async function callHook<Value>(
  { options }: { readonly options: { readonly limits: Pick<Limits, 'hookTimeoutMs'> } },
  hook: string,
  call: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await within(options.limits.hookTimeoutMs, hook, call)
  } catch (error) {
    throw hookFailure(hook, error)
  }
}

export function hookFailure(hook: string, error: unknown): ChangeRequestError {
  if (ChangeRequestError.is(error)) return error
  const text = `The request could not be checked (${hook}). Try again.`
  return new ChangeRequestError('UnavailableError', text, { cause: error })
}

/** A result or error after the time limit is ignored. Rejects with {@link readableThrown}. */
export async function within<Value>(
  timeoutMs: number,
  hook: string,
  call: () => Value | Promise<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  try {
    const answer = call()
    // Most hooks return synchronously, and a timer costs more than they do.
    if (typeof (answer as PromiseLike<Value> | null)?.then !== 'function') return answer
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new HookTimeoutError(hook, timeoutMs)), timeoutMs).unref()
    })
    return await Promise.race([answer, deadline])
  } catch (thrown) {
    throw readableThrown(thrown)
  } finally {
    clearTimeout(timer)
  }
}

export class HookTimeoutError extends Error {
  override readonly name = 'HookTimeoutError'

  constructor(hook: string, timeoutMs: number) {
    super(`${hook} did not respond within ${timeoutMs} ms.`)
  }
}

/** A hook of the host app returned an invalid result. Only the log gets the details. */
export function invalidHookResult(hook: string, received: string, expected: string): ChangeRequestError {
  return new ChangeRequestError('UnknownError', 'Something went wrong. Look up this id in the server log.', {
    cause: new InvalidHookResultError(`${hook} returned ${received}; it must be ${expected}.`),
  })
}

/** What is wrong with the result of a hook; the log shows its message. */
export class InvalidHookResultError extends TypeError {
  override readonly name = 'InvalidHookResultError'
}

/** Describes a value from the host app for its log: short, on one line, without the content of an object. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  return inspect(value, { maxStringLength: 50 })
}

/** A short text for anything that a function of the host app threw, which can be any value. Never throws. */
export function textOfThrown(thrown: unknown, maxLength: number): string {
  try {
    const message = typeof thrown === 'string' ? thrown : (thrown as { readonly message?: unknown } | null)?.message
    const isText = typeof message === 'string' && message.trim() !== ''
    const text = isText ? message : `A value without a message was thrown: ${kindOf(thrown)}.`
    // Without control characters, and without half a character at the end.
    return text
      .slice(0, maxLength)
      .replace(/\p{Cc}+/gu, ' ')
      .replace(/\p{Cs}/gu, '\uFFFD')
  } catch {
    return 'A value that cannot be read was thrown.'
  }
}

/** Without the content of an object, which may be secret. */
function kindOf(thrown: unknown): string {
  if (typeof thrown === 'function') return 'a function'
  return typeof thrown === 'object' && thrown !== null ? 'an object' : String(thrown)
}

const maxProxyText = 1_000

/** The thrown value; an error with its text instead of a proxy, because every use of a proxy can throw, `instanceof`, too. */
export function readableThrown(thrown: unknown): unknown {
  return types.isProxy(thrown) ? new Error(textOfThrown(thrown, maxProxyText)) : thrown
}
