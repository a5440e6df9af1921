import { parseStateUpdate } from '../../../src/capabilities/state/body'
import { states } from '../../../src/generated/lists'
import { expectRejected, labelled } from '../../validation/rejection'

const smile = '🙂'

describe('PUT .../change-requests/:id/state', () => {
  it.each(states.filter((state) => state !== 'Scheduled'))('accepts %s', (state) => {
    expect(parseStateUpdate({ state })).toEqual({ state, comment: null, scheduledAt: null, digest: null, reason: null })
  })

  it('accepts Scheduled with a time, past ones too', () => {
    expect(parseStateUpdate({ state: 'Scheduled', scheduledAt: '1999-12-31T23:59:59Z', comment: 'Go' })).toEqual({
      state: 'Scheduled',
      comment: 'Go',
      scheduledAt: '1999-12-31T23:59:59.000Z',
      digest: null,
      reason: null,
    })
  })

  it.each([
    ['2030-01-01T00:30:00+01:00', '2029-12-31T23:30:00.000Z'],
    ['2030-01-01t00:00:00.1234567z', '2030-01-01T00:00:00.123Z'],
    ['2028-02-29T00:00:00-12:00', '2028-02-29T12:00:00.000Z'],
  ])('turns the time %s into %s', (scheduledAt, expected) => {
    expect(parseStateUpdate({ state: 'Scheduled', scheduledAt }).scheduledAt).toBe(expected)
  })

  it('accepts times of the years 1 to 9999 of UTC, and no leap second', () => {
    const accepted = (scheduledAt: string) => parseStateUpdate({ state: 'Scheduled', scheduledAt }).scheduledAt
    expect(accepted('9999-12-31T23:59:59.999Z')).toBe('9999-12-31T23:59:59.999Z')
    expect(accepted('0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00.000Z')
    for (const scheduledAt of ['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00', '2026-12-31T23:59:60Z']) {
      expect(() => accepted(scheduledAt)).toThrow(
        expect.objectContaining({
          name: 'BadDataError',
          details: [{ path: '/body/scheduledAt', message: expect.stringContaining(`got "${scheduledAt}"`) }],
        }),
      )
    }
  })

  it('ignores unknown properties, and a time for another state', () => {
    const body = { state: 'Applied', scheduledAt: 'tomorrow', note: { deep: [1] } }
    expect(parseStateUpdate(body)).toEqual({
      state: 'Applied',
      comment: null,
      scheduledAt: null,
      digest: null,
      reason: null,
    })
  })

  it.each([
    ['', null],
    [' \n\t', null],
    [' Fine\nby me ', 'Fine\nby me'],
    ['x'.repeat(10_000), 'x'.repeat(10_000)],
    [` ${smile.repeat(10_000)} `, smile.repeat(10_000)],
  ])('trims the comment, and a blank one is null: %#', (comment, expected) => {
    expect(parseStateUpdate({ state: 'Approved', comment }).comment).toBe(expected)
  })

  it.each([10, 1_000])(
    'accepts an emergency for Applied, with a reason of %d characters without its blanks',
    (length) => {
      const reason = smile.repeat(length)
      expect(parseStateUpdate({ state: 'Applied', emergency: { reason: ` ${reason} ` } }).reason).toBe(reason)
    },
  )

  const allowed = `state must be one of ${states.map((state) => `"${state}"`).join(', ')}, got`

  it.each(
    labelled([
      [{}, '/body/state', 'state is required and missing'],
      [{ comment: 1 }, '/body/state', 'state is required and missing'],
      [{ state: 'approved' }, 'state', `${allowed} "approved"`],
      [{ state: 'Closed', comment: 1 }, 'state', `${allowed} "Closed"`],
      [{ state: 'constructor' }, 'state', `${allowed} "constructor"`],
      [{ state: '' }, 'state', `${allowed} ""`],
      [{ state: null }, 'state', `${allowed} null`],
      [{ state: ['Approved'] }, 'state', `${allowed} ["Approved"]`],
      [{ state: 'Applied', emergency: {} }, '/body/emergency/reason', 'reason is required and missing'],
      [{ state: 'Applied', emergency: null }, '/body/emergency', 'must be object, got null'],
      [{ state: 'Applied', emergency: { reason: ' too short ' } }, '/body/emergency/reason', 'must have 10 to 1000'],
      [
        { state: 'Applied', emergency: { reason: 'x'.repeat(1_001) } },
        '/body/emergency/reason',
        'must have 10 to 1000',
      ],
      [
        { state: 'Applied', emergency: { reason: 'x'.repeat(10), why: 1 } },
        '/body/emergency/why',
        'why is not allowed',
      ],
      [
        { state: 'Approved', emergency: { reason: 'x'.repeat(10) } },
        '/body/emergency',
        'is only for the state Applied',
      ],
      [{ state: 'Approved', comment: null }, '/body/comment', 'must be string, got null'],
      [{ state: 'Approved', comment: 12 }, '/body/comment', 'must be string, got 12'],
      [{ state: 'Approved', comment: 'x'.repeat(10_001) }, '/body/comment', 'must have 1 to 10000 characters'],
      [{ state: 'Scheduled', scheduledAt: '2030-01-01T00:00:00Z', comment: [] }, '/body/comment', 'must be string'],
      [{ state: 'Scheduled' }, '/body/scheduledAt', 'scheduledAt is required and missing'],
      [{ state: 'Scheduled', scheduledAt: null }, '/body/scheduledAt', 'must be string, got null'],
      [{ state: 'Scheduled', scheduledAt: 1893456000000 }, '/body/scheduledAt', 'must be string'],
      [
        { state: 'Scheduled', scheduledAt: '2030-01-01' },
        '/body/scheduledAt',
        'must be a date and time with Z or an offset, such as 2026-',
      ],
      [
        { state: 'Scheduled', scheduledAt: '2030-01-01T00:00:00' },
        '/body/scheduledAt',
        'must be a date and time with Z or an offset, such as 2026-',
      ],
      [
        { state: 'Scheduled', scheduledAt: '2030-02-30T00:00:00Z' },
        '/body/scheduledAt',
        'must be a date and time with Z or an offset, such as 2026-',
      ],
      [
        { state: 'Scheduled', scheduledAt: '' },
        '/body/scheduledAt',
        'must be a date and time with Z or an offset, such as 2026-',
      ],
    ]),
  )('rejects %s', (_, body, path, message) => {
    expectRejected(parseStateUpdate, body, path, message)
  })
})
