import type { PlacedRule } from '../../../src/domain/approval/approval-rule'
import type { PlacedFreeze } from '../../../src/domain/freezes/freeze'
import { digestOfPolicy } from '../../../src/kernel/facts/policy'

const rule: PlacedRule = { name: 'owners', approvals: 1, when: { features: ['pay*'] }, environment: 'production' }
const sale: PlacedFreeze = {
  name: 'Sale',
  reason: 'Sales',
  from: '2030-01-01T00:00:00.000Z',
  environment: 'production',
}

const digestOf = (rules: readonly PlacedRule[], ...freezes: readonly PlacedFreeze[]) =>
  digestOfPolicy({ rules }, [], freezes)

describe('digestOfPolicy(policy, checks, freezes)', () => {
  it('is a SHA-256 that does not depend on the order of keys', () => {
    const { name, ...others } = rule
    expect(digestOf([rule], sale)).toMatch(/^[0-9a-f]{64}$/)
    expect(digestOf([{ ...others, name }], sale)).toBe(digestOf([rule], sale))
    expect(digestOf([{ ...rule, from: undefined } as unknown as PlacedRule], sale)).toBe(digestOf([rule], sale))
  })

  it('differs for another rule, check or freeze', () => {
    const digests = [
      digestOf([]),
      digestOf([rule]),
      digestOf([rule], sale),
      digestOf([{ ...rule, approvals: 2 }], sale),
      digestOf([{ ...rule, when: { features: ['pay'] } }], sale),
      digestOf([rule], { ...sale, from: '2031-01-01T00:00:00.000Z' }),
      digestOfPolicy({ rules: [] }, [{ name: 'ci' }], []),
      digestOfPolicy({ rules: [] }, [{ name: 'ci', required: false }], []),
    ]
    expect(new Set(digests).size).toBe(digests.length)
  })
})
