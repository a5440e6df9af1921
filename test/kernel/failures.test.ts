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

/** Each failure that a storage can name, with what the caller gets. */
const table = [
  ['lost-race', 'UnavailableError', 'Too many concurrent writes. Try again.'],
  ['busy', 'UnavailableError', 'The database is busy. Try again.'],
  ['unmigrated', 'UnavailableError', 'The database tables do not exist yet. The host app must call migrate() first.'],
  [
    'unsupported-schema',
    'UnavailableError',
    'The tables have a schema version that this release does not support. The server log has the version numbers.',
  ],
  [
    'read-only',
    'UnavailableError',
    'The database is currently read-only. Reads still work; try the write again later.',
  ],
  ['not-allowed', 'UnavailableError', "The app's database user lacks a privilege that this operation needs."],
  ['full', 'UnavailableError', 'The database has no space left. Reads still work; try the write again later.'],
  [
    'unreachable',
    'UnavailableError',
    'The database is unreachable. A write may have succeeded; check before you retry it.',
  ],
  ['refused-data', 'BadDataError', 'The request contains a value that the database cannot store.'],
] as const

describe('recordFailure', () => {
  it.each(table)('says after %s (%s) whether the events may have been recorded', (failure, name) => {
    const result =
      failure === 'unreachable'
        ? /The events may have been recorded; check the log before you record them again\.$/
        : /No event was recorded\.$/
    expect(recordFailure(storageThatSays(failure), driverError)).toMatchObject({
      name,
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
  it.each(table)('%s is %s: %s', (failure, name, message) => {
    const error = toChangeRequestError(storageThatSays(failure), driverError)
    expect(error).toMatchObject({ name, message, cause: driverError })
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
