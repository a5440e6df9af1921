import { addChanges } from '../../../src/capabilities/proposals/changes'
import { unknownFeaturesError } from '../../../src/kernel/host/unknown-flags'
import {
  by,
  createFixture,
  enable,
  losing,
  noon,
  production,
  rejection,
  renameSegment,
} from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

/** @see contract 3.3 */
describe('addChanges', () => {
  it('puts the changes into a new draft if the caller has no open change request there', async () => {
    const fixture = createFixture()
    const { version, changeRequest } = await fixture.propose('ann', [enable(), renameSegment(4)])
    expect([version, changeRequest]).toEqual([
      1,
      expect.objectContaining({
        id: 1,
        ...production,
        state: 'Draft',
        minApprovals: 1,
        createdBy: { id: 1, username: 'ann@example.com', imageUrl: null },
        createdAt: noon,
        changes: [
          expect.objectContaining({ id: 1, action: 'updateEnabled', feature: 'checkout' }),
          expect.objectContaining({ id: 2, action: 'updateSegment', feature: null }),
        ],
      }),
    ])
    expect(await fixture.eventTypes()).toEqual(['change-request-created', 'change-added', 'change-added'])
  })

  it('adds them only to the open change request of the caller', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    expect((await fixture.propose('ann', [enable('search')])).changeRequest).toMatchObject({
      id: 1,
      changes: [{ id: 1 }, { id: 2, feature: 'search' }],
    })
    expect((await fixture.propose('ben')).changeRequest.id).toBe(2)
    expect((await fixture.propose('ann', [enable()], { environment: 'testing' })).changeRequest.id).toBe(3)
    expect((await fixture.propose('ann', [enable()], { project: 'blog' })).changeRequest.id).toBe(4)
  })

  it('keeps the address of the caller in the log only with the option recordIp', async () => {
    for (const [recordIp, ip] of [
      [false, null],
      [true, '192.0.2.7'],
    ] as const) {
      const fixture = createFixture({ recordIp })
      await fixture.propose('ann')
      expect((await fixture.events())[0]?.ip).toBe(ip)
    }
  })

  it('is rejected where change requests are disabled', async () => {
    const fixture = createFixture({ changeRequestsEnabled: false })
    expect(await rejection(fixture.propose('ann'))).toMatchObject({
      name: 'BadDataError',
      message: 'Change requests are disabled in this project and environment.',
    })
  })

  it('is rejected beyond the limits of a change request', async () => {
    const few = createFixture({ limits: { changesPerChangeRequest: 1 } })
    expect((await rejection(few.propose('ann', [enable(), enable('search')]))).name).toBe('ExceedsLimitError')
    const small = createFixture({ limits: { changesBytes: 10 } })
    expect((await rejection(small.propose('ann'))).name).toBe('ExceedsLimitError')
    const large = createFixture({ flags: new HostFlags(), limits: { targetsBytes: 10 } })
    expect((await rejection(large.propose('ann'))).name).toBe('ExceedsLimitError')
  })

  describe('with If-Match', () => {
    const propose = (fixture: ReturnType<typeof createFixture>, ifMatch: string) =>
      addChanges(fixture.services, { ...by('ann'), ifMatch, ...production, changes: [enable()] })

    it('is rejected if it would create a change request', async () => {
      expect((await rejection(propose(createFixture(), '*'))).name).toBe('PreconditionFailedError')
    })

    it('is rejected for another revision, and accepted for the current one', async () => {
      const fixture = createFixture()
      await fixture.propose('ann')
      expect((await rejection(propose(fixture, '"1-7"'))).name).toBe('PreconditionFailedError')
      expect((await propose(fixture, '"1-1"')).version).toBe(2)
    })
  })

  it('rejects with the error of the storage when nothing can be loaded', async () => {
    const failure = new Error('out of reach')
    const fixture = createFixture({ storage: (memory) => ({ ...memory, loadProposal: () => Promise.reject(failure) }) })
    await expect(fixture.propose('ann')).rejects.toBe(failure)
  })

  it('creates a new one when another process has closed the open one meanwhile', async () => {
    const first = createFixture()
    await first.reviewed()
    const fixture = createFixture({ storage: () => losing([() => first.to('ann', 'Cancelled')], first.memory) })
    expect((await fixture.propose('ann', [enable('search')])).changeRequest).toMatchObject({ id: 2, state: 'Draft' })
  })
})

describe('flags that do not exist in the host app', () => {
  const known = (asked: unknown[]) => ({
    knownFeatures: (project: string, features: readonly string[]) => {
      asked.push([project, features])
      return ['checkout']
    },
  })

  it('are rejected, each once and by name', async () => {
    const asked: unknown[] = []
    const fixture = createFixture({ directory: known(asked) })
    const changes = [enable('basket'), enable(), enable('basket'), enable('search'), renameSegment(4)]
    expect(await rejection(fixture.propose('ann', changes))).toMatchObject({
      name: 'NotFoundError',
      message: 'The project has no flag named basket, search.',
    })
    expect(asked).toEqual([['shop', ['basket', 'checkout', 'search']]])
  })

  it('are none if all exist in the host app', async () => {
    const fixture = createFixture({ directory: known([]) })
    expect((await fixture.propose('ann')).version).toBe(1)
  })

  it('are not checked for segments alone, nor without the hook', async () => {
    const asked: unknown[] = []
    const fixture = createFixture({ directory: known(asked) })
    expect(await unknownFeaturesError(fixture.services, 'shop', [renameSegment(4)])).toBeUndefined()
    expect(asked).toEqual([])
    expect(await unknownFeaturesError(createFixture().services, 'shop', [enable()])).toBeUndefined()
  })

  it.each([
    [true, 'UnavailableError'],
    [false, 'BadDataError'],
  ])('that cannot be checked are only reported if change requests are enabled: %s', async (on, name) => {
    const directory = { knownFeatures: () => Promise.reject(new Error('out of order')) }
    const fixture = createFixture({ directory, changeRequestsEnabled: on })
    expect((await rejection(fixture.propose('ann'))).name).toBe(name)
  })
})
