import { canScheduleAt, clockOffset, idempotencyCutoff, isClockOff } from '../../src/domain/instants'

const noon = Date.parse('2026-03-04T12:00:00.000Z')
const at = (ms: number) => new Date(noon + ms).toISOString()

describe('clockOffset(now, before, after)', () => {
  it.each([
    ['ahead of the storage', -1, 1],
    ['level with the start of the question', 0, 0],
    ['within the time of the question', 50, 0],
    ['level with its end', 100, 0],
    ['behind the storage', 101, -1],
  ])('%s', (_, storage, offset) => {
    expect(clockOffset(at(storage), noon, noon + 100)).toBe(offset)
  })
})

describe('isClockOff(offset)', () => {
  it.each([
    [null, false],
    [0, false],
    [5_000, false],
    [-5_000, false],
    [5_001, true],
    [-5_001, true],
  ])('%s: %s', (offset, expected) => {
    expect(isClockOff(offset)).toBe(expected)
  })
})

describe('canScheduleAt(scheduledAt, now)', () => {
  it.each([
    [1, true],
    [0, true],
    [-60_000, true],
    [-60_001, false],
  ])('%d ms from now: %s', (ms, expected) => {
    expect(canScheduleAt(at(ms), new Date(noon))).toBe(expected)
  })
})

describe('idempotencyCutoff(now)', () => {
  it('is 24 hours earlier', () => {
    expect(idempotencyCutoff('2026-03-01T12:00:00.000Z')).toBe('2026-02-28T12:00:00.000Z')
  })
})
