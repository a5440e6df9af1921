import type { Change, ChangeRequest, NewChange } from '../../../src/domain/change-request'
import { findScheduleConflicts, touches } from '../../../src/domain/schedule/schedule-conflicts'
import type { Action } from '../../../src/generated'
import { sampleChange, sampleChangeRequest } from '../../../src/testing/samples'
import { proposing } from '../support/change-requests'

const strategy = (id: string, feature = 'checkout'): NewChange => ({
  action: 'updateStrategy',
  feature,
  payload: { id },
})
const remove = (id: string): NewChange => ({ action: 'deleteStrategy', feature: 'checkout', payload: { id } })
const segment = (id: number): NewChange => ({ action: 'updateSegment', feature: null, payload: { id } })
const archive = (feature: string): NewChange => ({ action: 'archiveFeature', feature, payload: {} })
const variants: NewChange = { action: 'patchVariant', feature: 'checkout', payload: { variants: [] } }
const enable: NewChange = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }

const scheduled = (change: NewChange, more: Partial<ChangeRequest> = {}): ChangeRequest => ({
  ...proposing(change),
  id: 41,
  state: 'Scheduled',
  ...more,
})

/** @see contract 5.6 */
describe('another scheduled change request', () => {
  it.each([
    ['of the same strategy', strategy('s1'), remove('s1'), {}, true],
    ['of another strategy', strategy('s1'), strategy('s2'), {}, false],
    ['of the same strategy of another flag', strategy('s1'), strategy('s1', 'search'), {}, false],
    ['of the same strategy elsewhere', strategy('s1'), strategy('s1'), { environment: 'staging' }, false],
    ['of the same segment', segment(4), segment(4), {}, true],
    ['of the same segment elsewhere', segment(4), segment(4), { environment: 'staging' }, true],
    ['of the same segment in another project', segment(4), segment(4), { project: 'blog' }, false],
    ['that archives the same flag', archive('checkout'), archive('checkout'), { environment: 'staging' }, true],
    ['that archives another flag', archive('checkout'), archive('search'), {}, false],
    ['of the same variants', variants, variants, {}, true],
    ['of the same variants elsewhere', variants, variants, { environment: 'staging' }, false],
    ['that only switches the same flag', enable, enable, {}, false],
    ['that is the same one', strategy('s1'), strategy('s1'), { id: 7 }, false],
  ] as const)('%s', (_, own, theirs, more, conflicts) => {
    const found = findScheduleConflicts(proposing(own), [scheduled(theirs, more)])
    expect(found.get(1)).toEqual(conflicts ? [{ id: 41, title: null }] : undefined)
  })

  it('is listed with all others, by id, with its title', () => {
    const others = [scheduled(strategy('s1'), { id: 43 }), scheduled(remove('s1'), { id: 42, title: 'Sale' })]
    expect(findScheduleConflicts(proposing(enable, strategy('s1')), others)).toEqual(
      new Map([
        [
          2,
          [
            { id: 42, title: 'Sale' },
            { id: 43, title: null },
          ],
        ],
      ]),
    )
  })
})

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
