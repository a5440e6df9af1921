import { hasDifference, recordEvents, toEventDraft } from '../../../src/kernel/log/record-events'
import { createFixture, noon } from '../support/fixture'

/** @see contract 8.3 */
describe('recordEvents', () => {
  it('appends the events of the host app in order, with the current time and defaults', async () => {
    const fixture = createFixture({ pageUrl: '/review' })
    const event = {
      type: 'feature-archived',
      createdBy: 'ann@example.com',
      createdByUserId: 1,
      project: 'shop',
      environment: 'production',
      featureName: 'checkout',
      data: { reason: 'old' },
      preData: { reason: null },
      tags: [{ type: 'simple', value: 'payments' }],
      ip: '192.0.2.7',
      groupType: 'transaction',
      groupId: 'g1',
    } as const
    await recordEvents(
      fixture.services,
      [{ type: 'feature-created' }, { ...event, tags: [...event.tags] }],
      fixture.storage,
    )
    const { groupType, groupId, ...served } = event
    expect(await fixture.events()).toMatchObject([
      {
        id: 1,
        createdAt: noon,
        type: 'feature-created',
        createdBy: 'unknown',
        createdByUserId: -1337,
        environment: null,
        project: null,
        featureName: null,
        data: null,
        preData: null,
        tags: [],
        ip: null,
      },
      { id: 2, createdAt: noon, ...served, summary: expect.stringContaining('(/review/projects/shop') },
    ])
    const grouped = await fixture.storage.eventPage({ groupIds: ['g1'] }, { after: 0 }, 10, true)
    expect(JSON.parse(String(Buffer.from(grouped.json)))).toMatchObject({ groupType, groupId })
  })

  it('omits an event whose data equals its preData', async () => {
    const fixture = createFixture()
    const same = { type: 'feature-updated', data: { a: [1] }, preData: { a: [1] } } as const
    await recordEvents(fixture.services, [same, { type: 'feature-archived' }], fixture.storage)
    expect(await fixture.eventTypes()).toEqual(['feature-archived'])
  })

  it('writes through a transaction of the host app', async () => {
    const fixture = createFixture()
    const written: unknown[] = []
    const inside = {
      commit: async () => false,
      appendEvents: async (rows: readonly { type: string }[]) => void written.push(...rows.map(({ type }) => type)),
    }
    await recordEvents(fixture.services, [{ type: 'feature-created' }], inside)
    expect([written, await fixture.eventTypes()]).toEqual([['feature-created'], []])
  })

  it.each([
    [null, null, true],
    [null, { a: 1 }, true],
    [{ a: 1 }, null, true],
    [{ a: 1 }, { a: 2 }, true],
    [{ a: 1 }, { a: 1 }, false],
    [{}, {}, false],
  ])('an event with data %p and preData %p is a change: %s', (data, preData, isChange) => {
    expect(hasDifference(toEventDraft({ type: 'feature-updated', data, preData }, noon))).toBe(isChange)
  })
})
