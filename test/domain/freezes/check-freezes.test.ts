import { problemInFreezes } from '../../../src/domain/freezes/check-freezes'

const freeze = { name: 'Sale', reason: 'Sales', from: '2026-11-27T00:00:00Z' }

describe('freezes', () => {
  it('can be empty, and can use every key', () => {
    const when = { projects: ['shop'], environments: ['prod*'], features: ['pay*'], segments: [4] }
    const full = { ...freeze, until: '2026-12-01T01:00+01:00', when, scheduled: 'suspend' }
    const others = [{ ...freeze, name: 'others', from: '2026-02-28T23:59:59.999-11:30', until: undefined }]
    expect([problemInFreezes([]), problemInFreezes([full, ...others])]).toEqual([undefined, undefined])
  })

  it.each<[unknown, RegExp]>([
    [freeze, /^must be a list of freezes$/],
    [[null], /item 1 is not an object$/],
    [[freeze, { ...freeze, name: ' ' }], /freeze 2 has none$/],
    [[freeze, freeze], /"Sale" is used twice$/],
    [[{ ...freeze, to: freeze.from }], /"Sale": unknown key "to"$/],
    [[{ ...freeze, reason: '' }], /"Sale": reason must be a text$/],
    [[{ ...freeze, from: '2026-11-27' }], /"Sale": from must be a date and time with Z or an offset/],
    [[{ ...freeze, from: '2026-11-27T00:00:00' }], /: from must be/],
    [[{ ...freeze, from: '2026-02-30T00:00:00Z' }], /: from must be/],
    [[{ ...freeze, from: '2026-13-01T00:00:00Z' }], /: from must be/],
    [[{ ...freeze, from: '2026-11-27T25:00:00Z' }], /: from must be/],
    [[{ ...freeze, from: new Date() }], /: from must be/],
    [[{ ...freeze, from: undefined }], /: from must be/],
    [[{ ...freeze, until: null }], /: until must be a date/],
    [[{ ...freeze, until: freeze.from }], /: until must be after from$/],
    [[{ ...freeze, until: '2026-11-27T00:30:00+01:00' }], /: until must be after from$/],
    [[{ ...freeze, scheduled: 'wait' }], /: scheduled must be "hold" or "suspend"$/],
    [[{ ...freeze, when: { tags: [{ type: 'team', value: 'core' }] } }], /: unknown key "when.tags"$/],
    [[{ ...freeze, when: { actions: ['archiveFeature'] } }], /: unknown key "when.actions"$/],
    [[{ ...freeze, when: { authors: ['agent'] } }], /: unknown key "when.authors"$/],
    [[{ ...freeze, when: { features: [] } }], /: when.features must be a list of names$/],
  ])('%j is rejected with the freeze and the error', (freezes, expected) => {
    expect(problemInFreezes(freezes)).toMatch(expected)
  })
})
