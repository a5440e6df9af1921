import { summarize } from '../../../src/domain/content/summary'
import {
  effectOf,
  endOfHold,
  type Freeze,
  freezeSentence,
  freezesAt,
  hasEnded,
  matchingFreezes,
  nextCheck,
  placedFreezes,
} from '../../../src/domain/freezes/freeze'
import { rulesIn } from '../../../src/domain/rules/condition'
import { change, changeRequest } from '../support/change-requests'

const production = { project: 'shop', environment: 'production' }
const sale: Freeze = { name: 'Sale', reason: 'Sales', from: '2026-11-27T00:00:00Z', until: '2026-12-01T00:00:00Z' }
const at = (day: string) => `2026-${day}:00.000Z`

const namesAt = (freezes: readonly Freeze[], time: string) =>
  freezesAt(placedFreezes(freezes, production), time).map(({ name }) => name)

describe('a freeze', () => {
  it.each([
    ['a millisecond before it begins', '2026-11-26T23:59:59.999Z', []],
    ['when it begins', at('11-27T00:00'), ['Sale']],
    ['a millisecond before its end', '2026-11-30T23:59:59.999Z', ['Sale']],
    ['at its end', at('12-01T00:00'), []],
  ])('%s: in force are %3$j', (_, time, expected) => {
    expect(namesAt([sale], time)).toEqual(expected)
  })

  it('without an end stays in force', () => {
    const { until: _, ...open } = sale
    expect(namesAt([open], '9999-12-31T23:59:59.999Z')).toEqual(['Sale'])
    expect(placedFreezes([open], production).map((one) => hasEnded(one, '9999-12-31T23:59:59.999Z'))).toEqual([false])
  })

  it('that begins in the past is in force now', () => {
    expect(namesAt([{ ...sale, from: '1999-01-01T00:00:00Z' }], at('11-28T00:00'))).toEqual(['Sale'])
  })

  it.each([
    ['2026-11-27T01:00:00+01:00', '2026-12-01T01:00:00+01:00'],
    ['2026-11-26T19:00-05:00', '2026-11-30T19:00:00.000-05:00'],
    ['2026-11-27T05:45:00+05:45', '2026-12-01T05:45:00+05:45'],
  ])('from %s until %s has the same times as in UTC', (from, until) => {
    const [placed] = placedFreezes([{ ...sale, from, until }], production)
    expect([placed?.from, placed?.until]).toEqual([at('11-27T00:00'), at('12-01T00:00')])
  })

  it.each([
    ['until the year 10000 of UTC', { until: '9999-12-31T23:59:59-01:00' }, '2026-11-28T00:00:00.000Z'],
    ['until then, in the last millisecond before', { until: '9999-12-31T23:59:59-01:00' }, '9999-12-31T23:59:59.999Z'],
    ['from the year -1 of UTC', { from: '0000-01-01T00:00:00+01:00' }, '2026-11-28T00:00:00.000Z'],
    ['from the year 999', { from: '0999-12-31T23:59:59Z' }, '2026-11-28T00:00:00.000Z'],
  ])('%s is in force', (_, times, time) => {
    const long = { ...sale, ...times, name: 'long' }
    expect(namesAt([sale, long], time)).toContain('long')
    expect(effectOf(placedFreezes([long], production), time)?.hold?.by).toBe('long')
  })

  it('that begins in the year 10000 of UTC is not in force before', () => {
    const future = { ...sale, from: '9999-12-31T23:59:59-01:00', until: '9999-12-31T23:59:59-02:00' }
    expect(namesAt([future], '9999-12-31T23:59:59.999Z')).toEqual([])
  })

  it('until the year 10000 of UTC ends after all others but those without an end', () => {
    const { until: _, ...open } = { ...sale, name: 'open' }
    const long = { ...sale, name: 'long', until: '9999-12-31T23:59:59-01:00' }
    const early = { ...sale, name: 'early', until: '9999-12-31T23:59:59Z' }
    expect(namesAt([early, long, open], '2026-11-28T00:00:00.000Z')).toEqual(['open', 'long', 'early'])
    const hold = { by: 'long', until: long.until }
    expect(nextCheck(hold, '2026-11-28T00:01:00.000Z')).toBe('2026-11-28T00:05:00.000Z')
  })

  it('that begins when another one ends leaves no gap, and none is in force twice', () => {
    const next = { ...sale, name: 'Stocktaking', from: '2026-12-01T00:00:00Z', until: '2026-12-02T00:00:00Z' }
    const times = ['2026-11-30T23:59:59.999Z', at('12-01T00:00'), at('12-02T00:00')]
    expect(times.map((time) => namesAt([sale, next], time))).toEqual([['Sale'], ['Stocktaking'], []])
  })

  it('that overlaps others is listed with them, the latest end first', () => {
    const { until: _, ...open } = { ...sale, name: 'open' }
    const longer = { ...sale, name: 'longer', until: '2026-12-05T00:00:00Z' }
    expect(namesAt([sale, open, longer], at('11-28T00:00'))).toEqual(['open', 'longer', 'Sale'])
  })
})

describe('the condition of a freeze', () => {
  const matches = (when: Freeze['when']) => {
    const changes = [
      change(1, { feature: 'checkout' }),
      change(2, { action: 'updateSegment', feature: null, payload: { id: 4, name: 'beta', constraints: [] } }),
    ]
    const freeze = when === undefined ? sale : { ...sale, when }
    const placed = placedFreezes(rulesIn([freeze], production), production)
    return matchingFreezes(placed, summarize(changeRequest({ changes }))).length === 1
  }

  it.each<[Freeze['when'], boolean]>([
    [undefined, true],
    [{ projects: ['shop'] }, true],
    [{ projects: ['blog'] }, false],
    [{ environments: ['prod*'] }, true],
    [{ environments: ['staging'] }, false],
    [{ features: ['check*'] }, true],
    [{ features: ['search'] }, false],
    [{ segments: [4] }, true],
    [{ segments: [5] }, false],
    [{ features: ['search'], segments: true }, true],
    [{ environments: ['staging'], features: ['checkout'] }, false],
  ])('%j matches the change request: %j', (when, expected) => {
    expect(matches(when)).toBe(expected)
  })

  it('counts a freeze of several environments once', () => {
    const everywhere = ['production', 'staging'].flatMap((environment) =>
      placedFreezes([sale], { project: 'shop', environment }),
    )
    expect(matchingFreezes(everywhere, summarize(changeRequest())).map(({ environment }) => environment)).toEqual([
      'production',
    ])
  })
})

describe('the sentence of a freeze', () => {
  it('names the freeze, its environment, its end and its reason', () => {
    const { until: _, ...open } = sale
    const sentences = placedFreezes([sale, { ...open, name: 'Black "Friday"' }], production).map(freezeSentence)
    expect(sentences).toEqual([
      'The freeze "Sale" in production lasts until 2026-12-01T00:00:00.000Z (Sales). Schedule the change request for a later time.',
      'The freeze "Black "Friday"" in production has no end yet (Sales). Try again when it is over.',
    ])
  })
})

describe('a change request that is due', () => {
  const night: Freeze = { ...sale, name: 'Night', until: '2026-12-02T00:00:00Z', from: '2026-12-01T00:00:00Z' }
  const { until: _, ...open } = sale
  const freezes = [sale, night]

  it('is suspended by a freeze that suspends, else held by the freeze that ends last', () => {
    const during = (...all: Freeze[]) => effectOf(placedFreezes(all, production), at('11-28T00:00'))
    expect(during(sale, { ...open, name: 'open' })).toEqual({ hold: { by: 'open', until: null } })
    expect(during(open, { ...sale, name: 'stop', scheduled: 'suspend' })?.suspendedBy?.name).toBe('stop')
    expect(during(night)).toBeUndefined()
  })

  it.each([
    ['at the end of the hold', at('11-28T00:02'), at('11-28T00:02')],
    ['in five minutes at the latest', at('11-28T00:09'), at('11-28T00:05')],
    ['in five minutes without an end', null, at('11-28T00:05')],
    ['in five minutes after the end', at('11-28T00:01'), at('11-28T00:05')],
  ])('is checked again %s', (_, until, next) => {
    expect(nextCheck({ by: 'Sale', until }, at('11-28T00:01'))).toBe(next)
  })

  it.each<[string, readonly Freeze[], string | null | undefined, string]>([
    ['when it was due, without a freeze', [], undefined, at('11-28T00:00')],
    ['at the end of freezes that no run saw', freezes, undefined, night.until ?? ''],
    ['when it was due, for one that has no end', [open], undefined, at('11-28T00:00')],
    ['at the end that the option has', [sale], at('11-30T00:00'), sale.until ?? ''],
    ['at the end of the freeze that held it, not of another one', [night, sale], null, night.until ?? ''],
    ['at an end that is reached now', [], at('12-03T00:00'), at('12-03T00:00')],
    ['at the stored end, if the freeze is removed from the option', [], at('11-30T00:00'), at('11-30T00:00')],
    ['now, if the end is unknown', [], null, at('12-03T00:00')],
    [
      'now, if it has not come',
      [{ ...sale, from: '2026-12-08T00:00:00Z', until: '2026-12-09T00:00:00Z' }],
      at('12-08T00:00'),
      at('12-03T00:00'),
    ],
  ])('was free %s', (_, all, until, end) => {
    const held = until === undefined ? undefined : { by: 'Sale', until }
    expect(endOfHold(all, { dueAt: at('11-28T00:00'), held }, at('12-03T00:00'))).toBe(end)
  })
})
