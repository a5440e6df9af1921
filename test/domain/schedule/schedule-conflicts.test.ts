import type { ChangeRequest, NewChange } from '../../../src/domain/change-request'
import { findScheduleConflicts } from '../../../src/domain/schedule/schedule-conflicts'
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
