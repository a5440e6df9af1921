import { createScheduledWorld, editStrategy } from '../../kernel/support/schedules'
import { enable, noon, production, renameSegment } from '../../kernel/support/world'

const altered = (what: string) => `The target of ${what} was edited after it was scheduled.`
const pending = ['pending', null]

/** Scheduled, with the log watched since. */
async function watched(...given: Parameters<ReturnType<typeof createScheduledWorld>['scheduled']>) {
  const world = createScheduledWorld()
  await world.scheduled(...given)
  await world.look()
  return world
}

/** @see contract 13 */
describe('an event of the log, before the time', () => {
  it('of a flag that was changed suspends what is about it', async () => {
    const world = await watched([editStrategy])
    world.flags.rollout = '100'
    await world.record({ type: 'feature-strategy-update', ...production, featureName: 'checkout' })
    await world.look()
    expect(await world.status()).toEqual(['suspended', altered('change 1 (updateStrategy of checkout)')])
    expect((await world.loggedTypes()).slice(1)).toEqual(['change-request-schedule-suspended'])
  })

  it.each([
    ['of a segment', 'segment-updated', { id: 4 }, null],
    ['of a segment that is gone', 'segment-deleted', null, { id: 4 }],
  ] as const)('%s suspends what is about it', async (_, type, data, preData) => {
    const world = await watched([renameSegment(4)])
    world.flags.rollout = '100'
    await world.record({ type, data, preData })
    await world.look()
    expect(await world.status()).toEqual(['suspended', altered('change 1 (updateSegment of segment 4)')])
  })

  it('suspends what the validator of the host app rejects by then', async () => {
    let invalid: readonly { readonly message: string }[] = []
    const world = createScheduledWorld({ validate: (_, { when }) => (when === 'apply' ? invalid : []) })
    await world.scheduled([editStrategy])
    await world.look()
    invalid = [{ message: 'The segment of the strategy is gone.' }]
    await world.record({ type: 'feature-updated', ...production, featureName: 'checkout' })
    await world.look()
    expect(await world.status()).toEqual(['suspended', 'The segment of the strategy is gone.'])
  })

  it('of an archived flag suspends it with the conflict', async () => {
    const world = await watched()
    world.flags.archived = true
    await world.record({ type: 'feature-archived', ...production, featureName: 'checkout' })
    await world.look()
    expect(await world.status()).toEqual([
      'suspended',
      'The changes cannot be applied to the current flags (checkout: Feature has been archived).',
    ])
  })

  it('of another change request that was applied suspends it', async () => {
    const world = await watched([editStrategy])
    await world.approved([{ ...editStrategy, payload: { id: 's1', name: 'default', disabled: true } }])
    world.flags.apply = async () => {
      world.flags.rollout = '100'
      return [{ type: 'feature-strategy-update', featureName: 'checkout' }]
    }
    await world.to('ben', 'Applied', { id: 2 })
    await world.look()
    expect(await world.status()).toEqual(['suspended', altered('change 1 (updateStrategy of checkout)')])
  })

  it.each([
    ['of another flag', 'feature-updated', 'search'],
    ['of the same flag, that changed nothing of it', 'feature-updated', 'checkout'],
    ['of a change request', 'change-added', 'checkout'],
  ] as const)('%s suspends nothing', async (_, type, featureName) => {
    const world = await watched([editStrategy])
    if (featureName === 'search' || type === 'change-added') world.flags.rollout = '100'
    await world.record({ type, ...production, featureName })
    await world.look()
    expect(await world.status()).toEqual(pending)
  })

  it('of a person who is gone suspends what they scheduled, and nothing else', async () => {
    const people = new Set([1, 2, 3, 4])
    const users = {
      find: async (ids: readonly number[]) => ids.filter((id) => people.has(id)).map((id) => ({ id })),
      reviewers: async () => [],
    }
    const world = createScheduledWorld({ users })
    await world.scheduled()
    await world.approved([enable('search')])
    await world.to('dora', 'Scheduled', { id: 2 })
    await world.look()
    people.delete(3)
    await world.record({ type: 'user-deleted', preData: { id: 3 } })
    await world.look()
    expect(await world.status(1)).toEqual([
      'suspended',
      'The user who scheduled it no longer exists: cleo@example.com.',
    ])
    expect(await world.status(2)).toEqual(pending)
  })
})

describe('the watch of the log', () => {
  it('begins with a look at what is scheduled, for what it missed', async () => {
    const world = createScheduledWorld()
    await world.scheduled([editStrategy])
    world.flags.rollout = '100'
    await world.look()
    expect(await world.status()).toEqual(['suspended', altered('change 1 (updateStrategy of checkout)')])
  })

  it('reads an event again when it could not compare the flags', async () => {
    const world = await watched([editStrategy])
    world.flags.rollout = '100'
    world.flags.instead = () => Promise.reject(new Error('out of reach'))
    await world.record({ type: 'feature-strategy-update', ...production, featureName: 'checkout' })
    await expect(world.look()).rejects.toThrow()
    world.flags.instead = null
    await world.look()
    expect(await world.status()).toEqual(['suspended', altered('change 1 (updateStrategy of checkout)')])
  })

  it('leaves alone what was scheduled again meanwhile', async () => {
    const world = await watched([editStrategy])
    world.flags.rollout = '100'
    const { current } = world.flags
    world.flags.instead = async (subjects) => {
      world.flags.instead = null
      const seen = await current.call(world.flags, subjects)
      world.host.now = Date.parse(noon) + 1
      await world.to('ben', 'Scheduled')
      return seen
    }
    await world.record({ type: 'feature-strategy-update', ...production, featureName: 'checkout' })
    await world.look()
    expect(await world.status()).toEqual(pending)
  })
})
