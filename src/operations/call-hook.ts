import { ChangeRequestError } from '../errors'
import type { Services } from './services'

/**
 * Calls a hook of the host, for at most `limits.hookTimeoutMs`.
 *
 * @throws ChangeRequestError as the hook threw it. Any other failure says nothing about the caller: 503
 * UnavailableError, never a yes or a no.
 */
export async function callHook<Value>(
  { settings }: Pick<Services, 'settings'>,
  hook: string,
  call: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await within(settings.hookTimeoutMs, hook, call)
  } catch (error) {
    if (ChangeRequestError.is(error)) throw error
    throw new ChangeRequestError('UnavailableError', `The request could not be checked (${hook}). Try again.`, {
      cause: error,
    })
  }
}

/** What the hook answers later is ignored, a rejection included. */
export async function within<Value>(
  timeoutMs: number,
  hook: string,
  call: () => Value | Promise<Value>,
): Promise<Value> {
  const answer = call()
  // Most hooks know at once, and a timer costs more than they do.
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
