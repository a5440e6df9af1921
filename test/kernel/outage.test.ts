import { ChangeRequestError, memoryStorage, type StorageFailure, type StorageHealth } from '../../src'
import { Outage } from '../../src/kernel/host/outage'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** A database with a health that the test sets. The message of an error is its kind. */
function database() {
  const health: { -readonly [name in keyof StorageHealth]?: StorageHealth[name] } = {}
  const lines: unknown[] = []
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (facts: object, text: string) => void lines.push([text, facts]),
    error: () => undefined,
  }
  const memory = memoryStorage()
  const storage = {
    failureOf: (error: unknown) => (error as Error).message as StorageFailure,
    health: async () => ({ ...(await memory.health()), ...health }),
  }
  return { health, lines, outage: new Outage(storage, logger) }
}

const away = new Error('unreachable')
const rejected = new Error('read-only')
const back = ['The database is back.', { awayMs: expect.any(Number) }]

describe('an outage of the database', () => {
  it('is logged when it begins, and when it is over with its length', async () => {
    const { health, lines, outage } = database()
    health.reachable = false
    for (let count = 0; count < 5; count += 1) expect(outage.covers(away)).toBe(true)
    expect(lines).toEqual([[expect.stringMatching(/^The database is unreachable/), { err: away }]])
    await jest.advanceTimersByTimeAsync(60_000)
    expect(lines).toHaveLength(1)
    health.reachable = true
    await jest.advanceTimersByTimeAsync(2_000)
    expect(lines.slice(1)).toEqual([back])
    const [, { awayMs }] = lines[1] as [string, { awayMs: number }]
    expect(awayMs).toBeGreaterThanOrEqual(60_000)
    expect(awayMs).toBeLessThanOrEqual(62_000)
    expect(jest.getTimerCount()).toBe(0)
  })

  it('lasts while the database is a standby', async () => {
    const { health, lines, outage } = database()
    health.recovery = true
    outage.covers(rejected)
    await jest.advanceTimersByTimeAsync(60_000)
    expect([outage.isStandby, lines]).toEqual([
      true,
      [[expect.stringMatching(/^The database accepts no writes/), { err: rejected }]],
    ])
    health.recovery = false
    await jest.advanceTimersByTimeAsync(2_000)
    expect([outage.isStandby, lines.slice(1)]).toEqual([false, [back]])
  })

  it('lasts while writes are rejected by a database that is no standby', async () => {
    const { lines, outage } = database()
    for (let count = 0; count < 20; count += 1) {
      outage.covers(rejected)
      await jest.advanceTimersByTimeAsync(1_000)
    }
    expect(lines).toHaveLength(1)
    await jest.advanceTimersByTimeAsync(10_000)
    expect(lines.slice(1)).toEqual([back])
  })

  it('is not a busy database, a rejected value, or an error of a hook', () => {
    const { lines, outage } = database()
    const ofHook = new ChangeRequestError('UnavailableError', 'unreachable', { cause: away })
    const others = [new Error('busy'), new Error('refused-data'), new Error('other'), ofHook]
    expect(others.map((error) => outage.covers(error))).toEqual([false, false, false, false])
    expect(lines).toEqual([])
    outage.covers(away)
    expect(others.map((error) => outage.covers(error))).toEqual([true, false, false, true])
    outage.close()
  })

  it('explains the error of a hook only if the storage is away, too', async () => {
    const { health, lines, outage } = database()
    const ofHook = new ChangeRequestError('UnavailableError', 'unreachable', { cause: away })
    expect([await outage.explains(ofHook), lines]).toEqual([false, []])
    health.reachable = false
    expect([await outage.explains(new Error('other')), await outage.explains(ofHook)]).toEqual([false, true])
    expect(lines).toEqual([[expect.stringMatching(/^The database is unreachable/), { err: away }]])
    outage.close()
  })

  it('explains the error of a hook also if it was noticed, or is over, while the storage was asked', async () => {
    const { lines, outage } = database()
    const ofHook = new ChangeRequestError('UnavailableError', 'unreachable', { cause: away })
    const explained = outage.explains(ofHook)
    // The health is read from the new primary, after another call has failed.
    outage.covers(away)
    expect(await explained).toBe(true)
    await jest.advanceTimersByTimeAsync(2_000)
    expect(lines).toEqual([[expect.stringMatching(/^The database is unreachable/), { err: away }], back])
    expect(await outage.explains(ofHook)).toBe(false)
  })

  it('is not waited for after close()', async () => {
    const { lines, outage } = database()
    outage.covers(away)
    outage.close()
    await jest.advanceTimersByTimeAsync(10_000)
    outage.covers(away)
    expect([lines.length, jest.getTimerCount()]).toEqual([1, 0])
  })
})
