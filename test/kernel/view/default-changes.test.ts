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
})
