import { discardChange, discardDraft, editChange } from '../../../src/capabilities/proposals/edit-changes'
import { by, createWorld, enable, rejection, type Who, type World } from '../../kernel/support/world'

const here = { project: 'shop', id: 1 as number | undefined }

const edit = ({ services }: World, who: Who, more: object = {}) =>
  editChange(services, { ...by(who), ...here, changeId: 1, change: enable('search'), ...more })
const discard = ({ services }: World, who: Who, more: object = {}) =>
  discardChange(services, { ...by(who), ...here, changeId: 1, ...more })

/** @see contract 3.5 */
describe('editChange', () => {
  it('replaces one change by another, which gets a new id, and puts the change request back into review', async () => {
    const world = createWorld()
    await world.approved([enable(), enable('basket')])
    const { version, changeRequest } = await edit(world, 'ann')
    expect([version, changeRequest.state, changeRequest.approvals]).toEqual([4, 'In review', []])
    expect(changeRequest.changes.map(({ id, feature }) => [id, feature])).toEqual([
      [2, 'basket'],
      [3, 'search'],
    ])
    expect((await world.events()).at(-1)).toMatchObject({ type: 'change-edited', data: { changeId: 3 } })
  })

  it('is rejected for a flag that the host app does not know', async () => {
    const world = createWorld({ directory: { knownFeatures: () => ['checkout'] } })
    await world.propose('ann')
    expect(await rejection(edit(world, 'ann'))).toMatchObject({
      name: 'NotFoundError',
      message: 'The project has no flag named search.',
    })
  })

  it('is rejected beyond the limits of a change request', async () => {
    const world = createWorld({ limits: { changesBytes: 300 } })
    await world.propose('ann')
    const change = { action: 'addStrategy', feature: 'checkout', payload: { name: 'x'.repeat(400) } }
    expect((await rejection(edit(world, 'ann', { change }))).name).toBe('ExceedsLimitError')
  })
})

describe('discardChange', () => {
  it('removes one change', async () => {
    const world = createWorld()
    await world.propose('ann', [enable(), enable('search')])
    await discard(world, 'ann')
    expect((await world.stored())?.changes.map(({ id }) => id)).toEqual([2])
    expect((await world.eventTypes()).at(-1)).toBe('change-discarded')
  })
})

describe.each([
  ['editChange', edit],
  ['discardChange', discard],
])('%s', (_, run) => {
  it('checks that the change exists before it checks a permission', async () => {
    const world = createWorld()
    await world.propose('ann')
    world.host.allows = () => false
    expect(await rejection(run(world, 'ann', { changeId: 7 }))).toMatchObject({
      name: 'NotFoundError',
      message: 'The change request 1 has no change 7.',
    })
    expect(await rejection(run(world, 'ann', { changeId: undefined }))).toMatchObject({
      name: 'NotFoundError',
      message: 'There is no such change.',
    })
    expect(await rejection(run(world, 'ann'))).toMatchObject({
      name: 'PermissionError',
      permissions: ['CREATE_CHANGE_REQUEST'],
    })
  })

  it('is rejected for everyone but the author', async () => {
    const world = createWorld()
    await world.reviewed([enable(), enable('basket')])
    expect((await rejection(run(world, 'ben'))).name).toBe('OperationDeniedError')
  })

  it('finds nothing in the draft of another person, in another project, or under an id that names nothing', async () => {
    const world = createWorld()
    await world.propose('ann')
    expect((await rejection(run(world, 'ben'))).name).toBe('NotFoundError')
    expect((await rejection(run(world, 'ann', { project: 'blog' }))).name).toBe('NotFoundError')
    expect((await rejection(run(world, 'ann', { id: undefined }))).name).toBe('NotFoundError')
  })

  it('is rejected on another revision', async () => {
    const world = createWorld()
    await world.propose('ann', [enable(), enable('basket')])
    expect((await rejection(run(world, 'ann', { ifMatch: '"1-2"' }))).name).toBe('PreconditionFailedError')
    await run(world, 'ann', { ifMatch: '"1-1"' })
  })
})

describe('discardDraft', () => {
  it('removes the change request, and leaves its events', async () => {
    const world = createWorld()
    await world.propose('ann')
    await discardDraft(world.services, { ...by('ann'), ...here })
    expect(await world.stored()).toBeUndefined()
    expect(await world.eventTypes()).toEqual(['change-request-created', 'change-added', 'change-request-discarded'])
  })

  it('is rejected without the permission, and once it is no draft', async () => {
    const world = createWorld()
    await world.propose('ann')
    world.host.allows = () => false
    const refused = await rejection(discardDraft(world.services, { ...by('ann'), ...here }))
    expect(refused).toMatchObject({ name: 'PermissionError', permissions: ['CREATE_CHANGE_REQUEST'] })
    world.host.allows = () => true
    await world.to('ann', 'In review')
    expect((await rejection(discardDraft(world.services, { ...by('ann'), ...here }))).name).toBe('ConflictError')
  })
})
