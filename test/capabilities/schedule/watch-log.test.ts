import { enable, noon, production, renameSegment } from '../../kernel/support/fixture'
import { createScheduledFixture, editStrategy } from '../../kernel/support/schedules'

const altered = (what: string) => `${what}: its target was edited after it was scheduled.`
const pending = ['pending', null]

/** Scheduled, with the log watched since. */
async function watched(...given: Parameters<ReturnType<typeof createScheduledFixture>['scheduled']>) {
  const fixture = createScheduledFixture()
  await fixture.scheduled(...given)
  await fixture.look()
  return fixture
}

/** @see contract 13 */
describe('an event of the log, before the time', () => {
  it('of a changed flag suspends its change requests', async () => {
    const fixture = await watched([editStrategy])
    fixture.flags.rollout = '100'
    await fixture.record({ type: 'feature-strategy-update', ...production, featureName: 'checkout' })
    await fixture.look()
    expect(await fixture.status()).toEqual(['suspended', altered('Editing “Standard” of checkout')])
    expect((await fixture.loggedTypes()).slice(1)).toEqual(['change-request-schedule-suspended'])
  })

  it.each([
    ['of a segment', 'segment-updated', { id: 4 }, null],
    ['of a segment that is gone', 'segment-deleted', null, { id: 4 }],
  ] as const)('%s suspends its change requests', async (_, type, data, preData) => {
    const fixture = await watched([renameSegment(4)])
    fixture.flags.rollout = '100'
    await fixture.record({ type, data, preData })
    await fixture.look()
    expect(await fixture.status()).toEqual(['suspended', altered('Editing the segment “beta”')])
  })

  it('of a segment that a strategy uses and that is gone suspends it with the conflict', async () => {
    const fixture = await watched([{ ...editStrategy, payload: { id: 's1', segments: [4, 9] } }])
    fixture.flags.deletedSegments = [9]
    await fixture.record({ type: 'segment-updated', data: { id: 9 } })
    await fixture.look()
    expect(await fixture.status()).toEqual(pending)
    await fixture.record({ type: 'segment-deleted', preData: { id: 9 } })
    await fixture.look()
    expect(await fixture.status()).toEqual([
      'suspended',
      'The changes cannot be applied to the current flags (Editing “Standard” of checkout: Segment has been deleted).',
    ])
  })

  it('of another change request that was applied suspends it', async () => {
    const fixture = await watched([editStrategy])
    await fixture.approved([{ ...editStrategy, payload: { id: 's1', name: 'default', disabled: true } }])
    fixture.flags.apply = async () => {
      fixture.flags.rollout = '100'
      return [{ type: 'feature-strategy-update', featureName: 'checkout' }]
    }
    await fixture.to('ben', 'Applied', { id: 2 })
    await fixture.look()
    const hint = 'Change request #2 changed it. A schedule can follow another one: send its id as after.'
    expect(await fixture.status()).toEqual(['suspended', `${altered('Editing “Standard” of checkout')} ${hint}`])
  })

  it.each([
    ['of another flag', 'feature-updated', 'search'],
    ['of the same flag, that changed nothing of it', 'feature-updated', 'checkout'],
  ] as const)('%s suspends nothing', async (_, type, featureName) => {
    const fixture = await watched([editStrategy])
    if (featureName === 'search') fixture.flags.rollout = '100'
    await fixture.record({ type, ...production, featureName })
    await fixture.look()
    expect(await fixture.status()).toEqual(pending)
  })

  it('of a deleted user suspends only what they scheduled', async () => {
    const people = new Set([1, 2, 3, 4])
    const users = {
      find: async (ids: readonly number[]) => ids.filter((id) => people.has(id)).map((id) => ({ id })),
      reviewers: async () => [],
    }
    const fixture = createScheduledFixture({ users })
    await fixture.scheduled()
    await fixture.approved([enable('search')])
    await fixture.to('dora', 'Scheduled', { id: 2 })
    await fixture.look()
    people.delete(3)
    await fixture.record({ type: 'user-deleted', preData: { id: 3 } })
    await fixture.look()
    expect(await fixture.status(1)).toEqual([
      'suspended',
      'The user who scheduled it no longer exists: cleo@example.com.',
    ])
    expect(await fixture.status(2)).toEqual(pending)
  })
})

describe('the watch of the log', () => {
  it('begins with a check of all scheduled change requests', async () => {
    const fixture = createScheduledFixture()
    await fixture.scheduled([editStrategy])
    fixture.flags.rollout = '100'
    await fixture.look()
    expect(await fixture.status()).toEqual(['suspended', altered('Editing “Standard” of checkout')])
  })

  it('reads an event again when it could not compare the flags', async () => {
    const fixture = await watched([editStrategy])
    fixture.flags.rollout = '100'
    fixture.flags.instead = async () => {
      fixture.flags.instead = null
      throw new Error('out of reach')
    }
    await fixture.record({ type: 'feature-strategy-update', ...production, featureName: 'checkout' })
    await fixture.look()
    expect(await fixture.status()).toEqual(['suspended', altered('Editing “Standard” of checkout')])
  })

  it('ignores what was scheduled again meanwhile', async () => {
    const fixture = await watched([editStrategy])
    fixture.flags.rollout = '100'
    const { current } = fixture.flags
    fixture.flags.instead = async (subjects) => {
      fixture.flags.instead = null
      const seen = await current.call(fixture.flags, subjects)
      fixture.host.now = Date.parse(noon) + 1
      await fixture.to('ben', 'Scheduled')
      return seen
    }
    await fixture.record({ type: 'feature-strategy-update', ...production, featureName: 'checkout' })
    await fixture.look()
    expect(await fixture.status()).toEqual(pending)
  })
})
