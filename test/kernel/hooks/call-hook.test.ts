import { ChangeRequestError } from '../../../src'
import { callHook, describeValue, HookTimeoutError, invalidHookResult, within } from '../../../src/kernel/host/hooks'
import { thrownValues } from '../../support/thrown-values'
import { rejection } from '../support/fixture'
import { never } from '../support/flags'

const limits = { options: { limits: { hookTimeoutMs: 5_000 } } }

describe('callHook', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('returns what the hook returns, synchronously or later', async () => {
    expect(await callHook(limits, 'users.find', () => 'now')).toBe('now')
    expect(await callHook(limits, 'users.find', async () => 'later')).toBe('later')
    expect(await callHook(limits, 'users.find', () => null)).toBeNull()
  })

  it('starts no timer for a synchronous hook, and leaves none behind for a slow one', async () => {
    await callHook(limits, 'users.find', () => 'now')
    expect(jest.getTimerCount()).toBe(0)
    const later = callHook(limits, 'users.find', async () => 'later')
    expect(jest.getTimerCount()).toBe(1)
    await later
    expect(jest.getTimerCount()).toBe(0)
  })

  it('throws a ChangeRequestError of the hook as it is', async () => {
    const refused = new ChangeRequestError('NotFoundError', 'No such project.')
    const hook = () => {
      throw refused
    }
    expect(await rejection(callHook(limits, 'directory.hasProject', hook))).toBe(refused)
  })

  it.each([
    ['throws', () => assertNever()],
    ['rejects', async () => assertNever()],
  ])('a hook that %s is 503 with the error as its cause, which the caller does not see', async (_, hook) => {
    expect(await rejection(callHook(limits, 'authorize', hook))).toMatchObject({
      name: 'UnavailableError',
      message: 'The request could not be checked (authorize). Try again.',
      cause: new Error('connect ECONNREFUSED'),
    })
  })

  it.each(thrownValues)('a hook that throws %s is 503', async (_, create) => {
    const fail = () => {
      throw create()
    }
    expect((await rejection(callHook(limits, 'authorize', fail))).name).toBe('UnavailableError')
  })

  it('a hook that takes longer than the limit is 503, with the limit in its cause', async () => {
    const error = rejection(callHook(limits, 'authorize', never))
    await jest.advanceTimersByTimeAsync(4_999)
    expect(jest.getTimerCount()).toBe(1)
    await jest.advanceTimersByTimeAsync(1)
    const { name, cause } = await error
    expect(name).toBe('UnavailableError')
    expect(cause).toBeInstanceOf(HookTimeoutError)
    expect(cause).toMatchObject({ name: 'HookTimeoutError', message: 'authorize did not respond within 5000 ms.' })
  })

  it('ignores a later rejection of a hook that timed out', async () => {
    let fail = (_: Error) => {}
    const late = new Promise<never>((_, reject) => {
      fail = reject
    })
    const result = within(10, 'close', () => late).catch((error: unknown) => error)
    await jest.advanceTimersByTimeAsync(10)
    expect(await result).toBeInstanceOf(HookTimeoutError)
    fail(new Error('too late'))
  })
})

describe('invalidHookResult', () => {
  it('returns no details to the caller, and logs them', () => {
    expect(invalidHookResult('flags.current', 'undefined as features', 'a Map')).toMatchObject({
      name: 'UnknownError',
      message: 'Something went wrong. Look up this id in the server log.',
      cause: {
        name: 'InvalidHookResultError',
        message: 'flags.current returned undefined as features; it must be a Map.',
      },
    })
  })

  it.each([
    [[1, 2], 'an array'],
    [{ password: 'secret' }, 'an object'],
    [() => true, 'a function'],
    [null, 'null'],
    [undefined, 'undefined'],
    ['yes', "'yes'"],
    [1, '1'],
    ['x'.repeat(60), `'${'x'.repeat(50)}'... 10 more characters`],
  ])('names the value %p as %s, without the content of an object', (value, text) => {
    expect(describeValue(value)).toBe(text)
  })
})

function assertNever(): never {
  throw new Error('connect ECONNREFUSED')
}
