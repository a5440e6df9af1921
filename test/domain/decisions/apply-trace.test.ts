import type { ApplyTrace } from '../../../src/domain/change-request'
import { completeApply } from '../../../src/domain/decisions/apply'
import { traceOf } from '../../../src/domain/decisions/apply-trace'
import type { ComparedField } from '../../../src/domain/diff/fields'
import {
  change,
  changeRequest,
  facts,
  flags,
  type GatheredFacts,
  noon,
  personOf,
  step,
  vote,
} from '../support/change-requests'

const policyDigest = 'a'.repeat(64)
const rules: GatheredFacts['rules'] = [
  { environment: 'production', name: 'owners', approvals: 1, from: { groups: ['payments'] } },
  { environment: 'staging', name: 'owners', approvals: 1, from: { groups: ['payments'] } },
  { environment: 'production', name: 'security', approvals: 2 },
]
const votes = [vote('ben'), { ...vote('cleo'), groups: ['payments'] }, vote('dora', 'sha256:earlier')]
const approved = changeRequest({ state: 'Approved', approvals: votes })
const known = { ...facts('ben'), flags: flags(), rules, policyDigest }

const traced = (more: Partial<GatheredFacts> = {}, current = approved) => traceOf(current, { ...known, ...more }, noon)

const fields = (...paths: readonly string[]) => paths.map((path) => ({ path }) as ComparedField)

describe('traceOf(changeRequest, facts)', () => {
  it('has the approvals that counted, with the rules that each counted for, and all requirements', () => {
    expect(traced()).toEqual({
      approvals: [
        { by: { id: 2, username: 'ben' }, at: noon, rules: ['security'] },
        { by: { id: 3, username: 'cleo' }, at: noon, rules: ['owners', 'security'] },
      ],
      requirements: [
        { name: 'minimum', environment: null, approvals: 2, given: 2 },
        { name: 'owners', environment: 'production', approvals: 1, given: 1 },
        { name: 'owners', environment: 'staging', approvals: 1, given: 1 },
        { name: 'security', environment: 'production', approvals: 2, given: 2 },
      ],
      policy: policyDigest,
    })
  })

  it("counts an author's own approval for no rule", () => {
    const own = traced({}, changeRequest({ approvals: [vote('ann')], createdBy: personOf('ann') }))
    expect(own.approvals).toEqual([{ by: { id: 1, username: 'ann' }, at: noon, rules: [] }])
  })

  it('has the fields that it overwrites, each once, and at most 100', () => {
    const segment = change(3, { action: 'updateSegment', feature: null, payload: { id: 4, name: 'beta' } })
    const current = changeRequest({ changes: [change(1), change(2), segment] })
    const overwritten = new Map([
      [1, fields('/enabled', '/title')],
      [2, fields('/title')],
      [3, fields('/name')],
    ])
    expect(traced({ overwritten }, current).overwrote).toEqual([
      { feature: 'checkout', path: '/enabled' },
      { feature: 'checkout', path: '/title' },
      { segment: 4, path: '/name' },
    ])
    const many = Array.from({ length: 200 }, (_, index) => `/parameters/${'x'.repeat(index === 0 ? 2_000 : 1)}${index}`)
    const { overwrote = [] } = traced({ overwritten: new Map([[1, fields(...many)]]) })
    expect([overwrote.length, overwrote[0]?.path.length]).toEqual([100, 1_000])
  })

  it('records that nothing was applied without a flag gateway', () => {
    expect(traced({ flags: undefined }).recordOnly).toBe(true)
  })

  it('has only the emergency without the option applyTrace', () => {
    const emergency = { reason: 'Nobody can pay.', missing: [] }
    expect(traceOf(approved, { ...known, policyDigest: undefined }, noon, emergency)).toEqual({ emergency })
    expect(traceOf(approved, { ...known, policyDigest: undefined }, noon)).toEqual({})
  })
})

describe('the event of an apply', () => {
  const dataOf = (more: object) =>
    completeApply(approved, { ...step('ben'), ...more }, [], undefined).events.map(({ data }) => data)

  it('has the trace, and who settled it', () => {
    const trace: ApplyTrace = traced()
    expect(dataOf({ trace })).toEqual([{ changeRequestId: 7, ...trace }])
    expect(dataOf({ trace, settled: 'operator' })).toEqual([{ changeRequestId: 7, ...trace, settled: 'operator' }])
    expect(dataOf({ trace, scheduled: true })).toEqual([
      { changeRequestId: 7, scheduled: true, ...trace },
      { changeRequestId: 7 },
    ])
  })

  it('has nothing else without the option applyTrace', () => {
    expect(dataOf({ trace: {}, settled: 'operator' })).toEqual([{ changeRequestId: 7 }])
    expect(dataOf({ settled: 'operator' })).toEqual([{ changeRequestId: 7 }])
  })
})
