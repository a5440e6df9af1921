import { createFixture, type FixtureOptions, rejection } from '../support/fixture'
import { HostFlags } from '../support/flags'

function open(options: FixtureOptions = {}) {
  const flags = new HostFlags()
  const fixture = createFixture({ flags, ...options })
  return {
    ...fixture,
    flags,
    appliedChanges: () => flags.applied.map((changes) => changes.map(({ id, action }) => [id, action])),
  }
}

/** @see contract 5.5 and 6.3: implied changes need approval like all others. */
describe('implied changes', () => {
  it('that were added after the approval are not applied until they are approved, by the same user or another', async () => {
    const fixture = open()
    await fixture.approved()
    fixture.flags.strategies = []
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'ConflictError',
      message: expect.stringContaining('The approved changes no longer match what would be applied'),
    })
    expect(fixture.appliedChanges()).toEqual([])

    await fixture.to('ben', 'Approved')
    await fixture.to('ben', 'Applied')
    expect(fixture.appliedChanges()).toEqual([
      [
        [null, 'addStrategy'],
        [1, 'updateEnabled'],
      ],
    ])
    const added = 'change-request-approval-added'
    const approvals = (await fixture.eventTypes()).filter((type) => type.startsWith('change-request-appro'))
    expect(approvals).toEqual([added, 'change-request-approved', added])
  })

  it('that were removed or changed after the approval need new approvals as well', async () => {
    const fixture = open()
    fixture.flags.strategies = []
    await fixture.approved()
    fixture.flags.strategies = [{ id: 's2', name: 'default', disabled: false }]
    expect((await rejection(fixture.to('ben', 'Applied'))).name).toBe('ConflictError')
    fixture.flags.strategies = []
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('that differ between two votes: only the later vote counts', async () => {
    const fixture = open({ requiredApprovals: 2 })
    await fixture.reviewed()
    await fixture.to('ben', 'Approved')
    fixture.flags.strategies = []
    expect((await fixture.to('dora', 'Approved')).changeRequest.state).toBe('In review')
    expect((await fixture.to('ben', 'Approved')).changeRequest.state).toBe('Approved')
  })

  it('are not added for flags without strategies', async () => {
    const fixture = open()
    fixture.flags.current = async ({ features }) => ({
      features: new Map(features.map((name) => [name, { archived: false, enabled: false }])),
      segments: new Map(),
    })
    await fixture.approved()
    await fixture.to('ben', 'Applied')
    expect(fixture.appliedChanges()).toEqual([[[1, 'updateEnabled']]])
  })
})
