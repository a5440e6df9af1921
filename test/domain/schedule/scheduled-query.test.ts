import type { Change, ChangeRequest } from '../../../src/domain/change-request'
import { touches } from '../../../src/domain/schedule/schedule-conflicts'
import type { Action } from '../../../src/generated/index'
import { sampleChange, sampleChangeRequest } from '../../../src/testing/samples'

const nothing = { features: [], strategyIds: [], variantsOf: [] }

function requestWith(action: Action, feature: string | null, payload: Change['payload']): ChangeRequest {
  return sampleChangeRequest({ changes: [{ ...sampleChange(1), action, feature, payload }] })
}

describe('a change request with several changes', () => {
  it('touches the targets of all of them', () => {
    const changes = ['checkout', 'search'].map((feature, index) => ({ ...sampleChange(index + 1), feature }))
    const request = sampleChangeRequest({ changes })
    expect(touches(request, { ...nothing, features: ['search'] })).toBe(true)
    expect(touches(request, { ...nothing, features: ['other'] })).toBe(false)
  })
})

describe('a change request touches', () => {
  it.each<[Action, string | null, Change['payload'], string]>([
    ['updateEnabled', 'checkout', { enabled: true }, 'flag'],
    ['archiveFeature', 'checkout', {}, 'flag'],
    ['addStrategy', 'checkout', { id: 's1', name: 'default' }, 'flag'],
    ['updateStrategy', 'checkout', { id: 's1' }, 'flag, strategy'],
    ['updateStrategy', 'checkout', { id: 's2' }, 'flag'],
    ['updateStrategy', 'other', { id: 's1' }, 'strategy'],
    ['deleteStrategy', 'other', { id: 's1' }, 'strategy'],
    ['updateMilestoneStrategy', 'other', { id: 's1' }, 'strategy'],
    ['reorderStrategy', 'other', [{ id: 's1', sortOrder: 1 }], ''],
    ['patchVariant', 'checkout', { variants: [] }, 'flag, variants'],
    ['patchVariant', 'other', { variants: [] }, ''],
    ['deleteSegment', null, { id: 4 }, ''],
  ])('with %s of %s %j: %s', (action, feature, payload, expected) => {
    const request = requestWith(action, feature, payload)
    const found = {
      flag: touches(request, { ...nothing, features: ['checkout'] }),
      strategy: touches(request, { ...nothing, strategyIds: ['s0', 's1'] }),
      variants: touches(request, { ...nothing, variantsOf: ['checkout'] }),
    }
    const names = Object.entries(found).flatMap(([name, is]) => (is ? [name] : []))
    expect(names.join(', ')).toBe(expected)
    expect(touches(request, nothing)).toBe(false)
  })
})
