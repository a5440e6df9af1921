import { freezesAt, matchingFreezes } from '../../../src/page/app/reviews/freezes'

const sale = {
  name: 'Sale',
  reason: 'Sales',
  from: '2026-11-27T00:00:00.000Z',
  until: '2026-12-01T00:00:00.000Z',
  when: null,
  scheduled: 'hold',
  mode: 'enforce',
} as const
const content = { features: [{ name: 'checkout' }], segments: [{ id: 4 }] }

describe('the freezes of a change request', () => {
  it.each([
    [null, 1],
    [{ environments: ['production'] }, 1],
    [{ features: ['check*'] }, 1],
    [{ features: ['*out'] }, 1],
    [{ features: ['check.*'] }, 0],
    [{ features: ['search'] }, 0],
    [{ segments: [4] }, 1],
    [{ segments: [5] }, 0],
    [{ features: ['search'], segments: true as const }, 1],
  ])('with the condition %j match: %d', (when, count) => {
    expect(matchingFreezes([{ ...sale, when }], content)).toHaveLength(count)
  })

  it('are in force from their start until their end', () => {
    const inForce = (time: string, until: string | null = sale.until) =>
      freezesAt([{ ...sale, until }], new Date(time)).length
    const times = ['2026-11-26T23:59:59.999Z', sale.from, '2026-11-30T23:59:59.999Z', sale.until]
    expect(times.map((time) => inForce(time))).toEqual([0, 1, 1, 0])
    expect(inForce('2999-01-01T00:00:00Z', null)).toBe(1)
  })

  it('on trial do not block', () => {
    expect(freezesAt([{ ...sale, mode: 'trial' }], new Date(sale.from))).toEqual([])
  })
})
