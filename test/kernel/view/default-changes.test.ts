import { HostFlags } from '../support/flags'
import { createWorld, rejection, type WorldOptions } from '../support/world'

function open(options: WorldOptions = {}) {
  const flags = new HostFlags()
  const world = createWorld({ flags, ...options })
  return {
    ...world,
    flags,
    appliedChanges: () => flags.applied.map((changes) => changes.map(({ id, action }) => [id, action])),
  }
}

/** @see contract 5.5 and 6.3: what is added by default is approved like all else. */
describe('implied changes', () => {
  it('that were added after the approval are not applied until they are approved, by the same user or another', async () => {
    const world = open()
    await world.approved()
    world.flags.strategies = []
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'ConflictError',
      message: expect.stringContaining('The approved changes no longer match what would be applied'),
    })
    expect(world.appliedChanges()).toEqual([])

    await world.to('ben', 'Approved')
    await world.to('ben', 'Applied')
    expect(world.appliedChanges()).toEqual([
      [
        [null, 'addStrategy'],
        [1, 'updateEnabled'],
      ],
    ])
    const added = 'change-request-approval-added'
    const approvals = (await world.eventTypes()).filter((type) => type.startsWith('change-request-appro'))
    expect(approvals).toEqual([added, 'change-request-approved', added])
  })

  it('that were removed or changed after the approval need new approvals as well', async () => {
    const world = open()
    world.flags.strategies = []
    await world.approved()
    world.flags.strategies = [{ id: 's2', name: 'default', disabled: false }]
    expect((await rejection(world.to('ben', 'Applied'))).name).toBe('ConflictError')
    world.flags.strategies = []
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('that differ between two votes leave only the later one counted', async () => {
    const world = open({ requiredApprovals: 2 })
    await world.reviewed()
    await world.to('ben', 'Approved')
    world.flags.strategies = []
    expect((await world.to('dora', 'Approved')).changeRequest.state).toBe('In review')
    expect((await world.to('ben', 'Approved')).changeRequest.state).toBe('Approved')
  })

  it('are not made for flags without strategies, which have none to miss', async () => {
    const world = open()
    world.flags.current = async ({ features }) => ({
      features: new Map(features.map((name) => [name, { archived: false, enabled: false }])),
      segments: new Map(),
    })
    await world.approved()
    await world.to('ben', 'Applied')
    expect(world.appliedChanges()).toEqual([[[1, 'updateEnabled']]])
  })
})
