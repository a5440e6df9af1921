import { discardChange, discardDraft, editChange } from '../../../src/capabilities/proposals/changes'
import { by, createFixture, enable, type Fixture, rejection, type Who } from '../../kernel/support/fixture'

const here = { project: 'shop', id: 1 as number | undefined }

const edit = ({ services }: Fixture, who: Who, more: object = {}) =>
  editChange(services, { ...by(who), ...here, changeId: 1, change: enable('search'), ...more })
const discard = ({ services }: Fixture, who: Who, more: object = {}) =>
  discardChange(services, { ...by(who), ...here, changeId: 1, ...more })

/** @see contract 3.5 */
describe('editChange', () => {
  it('replaces one change by another, which gets a new id, and puts the change request back into review', async () => {
    const fixture = createFixture()
    await fixture.approved([enable(), enable('basket')])
    const { version, changeRequest } = await edit(fixture, 'ann')
    expect([version, changeRequest.state, changeRequest.approvals]).toEqual([4, 'In review', []])
    expect(changeRequest.changes.map(({ id, feature }) => [id, feature])).toEqual([
      [2, 'basket'],
      [3, 'search'],
    ])
    expect((await fixture.events()).at(-1)).toMatchObject({ type: 'change-edited', data: { changeId: 3 } })
  })

  it('is rejected for a flag that the host app does not know', async () => {
    const fixture = createFixture({ directory: { knownFeatures: () => ['checkout'] } })
    await fixture.propose('ann')
    expect(await rejection(edit(fixture, 'ann'))).toMatchObject({
      name: 'NotFoundError',
      message: 'The project has no flag named search.',
    })
  })
})

describe('discardChange', () => {
  it('removes one change', async () => {
    const fixture = createFixture()
    await fixture.propose('ann', [enable(), enable('search')])
    await discard(fixture, 'ann')
    expect((await fixture.stored())?.changes.map(({ id }) => id)).toEqual([2])
    expect((await fixture.eventTypes()).at(-1)).toBe('change-discarded')
  })
})

describe.each([
  ['editChange', edit],
  ['discardChange', discard],
])('%s', (_, run) => {
  it('checks that the change exists before it checks a permission', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    fixture.host.allows = () => false
    expect(await rejection(run(fixture, 'ann', { changeId: 7 }))).toMatchObject({
      name: 'NotFoundError',
      message: 'The change request 1 has no change 7.',
    })
    expect(await rejection(run(fixture, 'ann', { changeId: undefined }))).toMatchObject({
      name: 'NotFoundError',
      message: 'There is no such change.',
    })
    expect(await rejection(run(fixture, 'ann'))).toMatchObject({
      name: 'PermissionError',
      permissions: ['CREATE_CHANGE_REQUEST'],
    })
  })
})

describe('discardDraft', () => {
  it('removes the change request, and leaves its events', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    await discardDraft(fixture.services, { ...by('ann'), ...here })
    expect(await fixture.stored()).toBeUndefined()
    expect(await fixture.eventTypes()).toEqual(['change-request-created', 'change-added', 'change-request-discarded'])
  })
})
