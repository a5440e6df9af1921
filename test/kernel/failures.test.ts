import { ChangeRequestError, type Storage } from '../../src'
import {
  fromGateway,
  gatewayFailure,
  isLostRace,
  recordFailure,
  toChangeRequestError,
} from '../../src/kernel/host/failures'
import { HookTimeoutError } from '../../src/kernel/host/hooks'

const driverError = new Error('select * from secrets')
const storageThatSays = (failure: unknown): Pick<Storage, 'failureOf'> => ({ failureOf: () => failure as never })
const brokenStorage: Pick<Storage, 'failureOf'> = {
  failureOf() {
    throw new Error('broken')
  },
}

const failures = [
  ...['lost-race', 'busy', 'unmigrated', 'unsupported-schema', 'read-only', 'not-allowed', 'full', 'unreachable'],
  'refused-data',
]
const nameOf = (failure: string) => (failure === 'refused-data' ? 'BadDataError' : 'UnavailableError')

describe('recordFailure', () => {
  it.each(failures)('says after %s whether the events may have been recorded', (failure) => {
    const result =
      failure === 'unreachable'
        ? /The events may have been recorded; check the log before you record them again\.$/
        : /No event was recorded\.$/
    expect(recordFailure(storageThatSays(failure), driverError)).toMatchObject({
      name: nameOf(failure),
      message: expect.stringMatching(result),
      cause: driverError,
    })
  })

  it('returns an error that the storage does not know unchanged, and a ChangeRequestError', () => {
    const rejected = new ChangeRequestError('BadDataError', 'No such type.')
    expect(recordFailure(storageThatSays(undefined), driverError)).toBe(driverError)
    expect(recordFailure(storageThatSays('busy'), rejected)).toBe(rejected)
  })
})

describe('toChangeRequestError', () => {
  it('has a sentence of its own for each failure, without the text of the driver', () => {
    const errors = failures.map((failure) => toChangeRequestError(storageThatSays(failure), driverError))
    expect(errors.map(({ name }) => name)).toEqual(failures.map(nameOf))
    expect(new Set(errors.map(({ message }) => message)).size).toBe(failures.length)
    for (const { message, cause } of errors)
      expect([message, cause]).toEqual([expect.stringMatching(/^T[^*]+\.$/), driverError])
  })

  it.each([
    ['an error that the storage does not know', storageThatSays(undefined)],
    ['a failure that does not exist', storageThatSays('no-such-failure')],
    ['a storage that fails at it as well', brokenStorage],
  ])('%s is UnknownError, without the text of the driver', (_, storage) => {
    expect(toChangeRequestError(storage, driverError)).toMatchObject({
      name: 'UnknownError',
      message: 'Something went wrong. Look up this id in the server log.',
      cause: driverError,
    })
  })

  it('returns a ChangeRequestError unchanged', () => {
    const error = new ChangeRequestError('ConflictError', 'Too late.')
    expect(toChangeRequestError(storageThatSays('busy'), error)).toBe(error)
  })
})

describe('isLostRace', () => {
  it('is true only for a lost race', () => {
    expect(isLostRace(storageThatSays('lost-race'), driverError)).toBe(true)
    expect(isLostRace(storageThatSays('busy'), driverError)).toBe(false)
    expect(isLostRace(brokenStorage, driverError)).toBe(false)
  })
})

describe('fromGateway', () => {
  const thrown = (storage: Pick<Storage, 'failureOf'>, error: unknown) => {
    try {
      return fromGateway(storage, error)
    } catch (caught) {
      return caught
    }
  }

  it.each(['lost-race', 'busy', 'unreachable', 'read-only', 'full'])(
    '%s is a failure of the transaction, and is unchanged',
    (failure) => {
      expect(thrown(storageThatSays(failure), driverError)).toBe(driverError)
    },
  )

  it.each([undefined, 'refused-data', 'unmigrated', 'not-allowed'])(
    '%s is a failure of a statement of the gateway',
    (failure) => {
      expect(thrown(storageThatSays(failure), driverError)).toMatchObject({
        name: 'UnknownError',
        message: 'The flag gateway failed; nothing was applied.',
        cause: driverError,
      })
    },
  )
})

describe('gatewayFailure', () => {
  it('returns a rejection of the gateway unchanged', () => {
    const refusal = new ChangeRequestError('ConflictError', 'Frozen for the release.')
    expect(gatewayFailure(refusal)).toBe(refusal)
  })

  it('is 503 for a gateway that did not respond in time, and reports the result', () => {
    const late = new HookTimeoutError('flags.apply', 5)
    expect(gatewayFailure(late, 'nobody knows')).toMatchObject({
      name: 'UnavailableError',
      message: 'The flag gateway did not respond in time; nobody knows.',
      cause: late,
    })
    expect(gatewayFailure(late).message).toBe('The flag gateway did not respond in time; nothing was applied.')
  })
})
