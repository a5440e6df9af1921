import type { EventDraft } from '../../../src/domain/events/events'
import { toEventRows } from '../../../src/kernel/log/event-rows'
import { toEventDraft } from '../../../src/kernel/log/record-events'
import { noon } from '../support/fixture'

const requestOf = (type: string, data: unknown, preData: unknown = null) => {
  const draft = { ...toEventDraft({ type: 'feature-created' }, noon), type, data, preData } as EventDraft
  return toEventRows([draft], { pageUrl: '', links: {} })[0]?.changeRequestId
}

/** @see contract 8.1 */
describe('the change request of an event', () => {
  it.each([
    [{ changeRequestId: 7 }, null, 7],
    [null, { changeRequestId: 7 }, 7],
    [{}, { changeRequestId: 7 }, 7],
    [{ changeRequestId: null }, { changeRequestId: 7 }, 7],
    [{ changeRequestId: 7 }, { changeRequestId: 8 }, 7],
  ])('is read from data %j, else from preData %j', (data, preData, expected) => {
    expect(requestOf('change-added', data, preData)).toBe(expected)
  })

  it('belongs only to types that begin with change-', () => {
    const types = ['change-request-approved', 'change-', 'changed', 'feature-updated', 'Change-added']
    expect(types.map((type) => requestOf(type, { changeRequestId: 7 }))).toEqual([7, 7, null, null, null])
  })

  it.each(['7', [7], { id: 7 }, 1.5, 1e300, true])('is none for the id %j', (changeRequestId) => {
    expect(requestOf('change-added', { changeRequestId })).toBeNull()
  })
})
