import type { FlagEvent } from '../../../src'
import type { FlagState } from '../../../src/domain/flag-state'
import { toFlagEventDrafts } from '../../../src/kernel/step/flag-events'
import { createFixture, noon, rejection } from '../support/fixture'

const author = {
  person: { id: 2, username: 'Ben', imageUrl: null },
  signature: 'ben@example.com',
  ip: '192.0.2.7',
}
const occasion = { by: { author, admin: false }, now: noon }

async function drafts(events: readonly FlagEvent[], before?: FlagState) {
  const fixture = createFixture()
  const { changeRequest } = await fixture.propose('ann')
  return toFlagEventDrafts(fixture.services, changeRequest, occasion, events, before)
}

/** @see contract 6.4 */
describe('toFlagEventDrafts', () => {
  it('adds the user, the place and one group for all', async () => {
    const [first, second] = await drafts([
      { type: 'feature-environment-enabled', featureName: 'checkout' },
      { type: 'segment-updated', data: { id: 4 } },
    ])
    const groupId = expect.stringMatching(/^[0-9A-Z]{26}$/)
    const shared = {
      createdAt: noon,
      createdBy: 'ben@example.com',
      createdByUserId: 2,
      project: 'shop',
      environment: 'production',
      ip: '192.0.2.7',
      tags: [],
      preData: null,
      groupType: 'change-request',
      groupId,
    }
    expect(first).toEqual({
      ...shared,
      type: 'feature-environment-enabled',
      featureName: 'checkout',
      data: null,
    })
    expect(second).toEqual({ ...shared, type: 'segment-updated', featureName: null, data: { id: 4 } })
    expect(first?.groupId).toBe(second?.groupId)
  })

  it('keeps the values of the gateway, except for the group', async () => {
    const said = { createdBy: 'robot', createdByUserId: 9, project: 'blog', environment: 'testing', ip: '198.51.100.1' }
    const tags = [{ type: 'simple', value: 'payments' }]
    const event = { type: 'feature-created', ...said, tags, groupId: 'own' } as unknown as FlagEvent
    const [draft] = await drafts([event])
    expect(draft).toMatchObject({ ...said, tags, groupType: 'change-request' })
    expect(draft?.groupId).not.toBe('own')
  })

  it('adds the previous tags of the flag', async () => {
    const tags = [{ type: 'simple', value: 'payments' }]
    const features = new Map([
      ['checkout', { archived: false, enabled: true, tags }],
      ['search', { archived: false, enabled: true }],
    ])
    const event = (featureName?: string | null) => ({ type: 'feature-created', featureName }) as FlagEvent
    const events = [event('checkout'), event('search'), event('basket'), event(null), event()]
    const before = { features, segments: new Map() }
    expect((await drafts(events, before)).map((draft) => draft.tags)).toEqual([tags, [], [], [], []])
    expect((await drafts([event('checkout')])).map((draft) => draft.tags)).toEqual([[]])
  })

  it('omits an event without a difference', async () => {
    expect(await drafts([{ type: 'feature-updated', data: { a: 1 }, preData: { a: 1 } }])).toEqual([])
  })

  it('throws a fault of the host app for an invalid event', async () => {
    const events = [{ type: 'feature-created' }, { type: 'no-such-type' as never }] as const
    expect(await rejection(drafts(events))).toMatchObject({
      name: 'UnknownError',
      message: 'The flag gateway returned an invalid event.',
      cause: {
        message: expect.stringMatching(
          /^Event 1 of the flag gateway is invalid: type: type must be one of .* got "no-such-type"$/,
        ),
      },
    })
  })

  it('throws a fault of the host app for an event about a change request', async () => {
    const events = [{ type: 'change-request-applied' as never, data: { changeRequestId: 1 } }]
    expect(await rejection(drafts(events))).toMatchObject({
      name: 'UnknownError',
      cause: {
        message: expect.stringMatching(/^Event 0 of the flag gateway is invalid: \/event\/type: change-request-app/),
      },
    })
  })
})
