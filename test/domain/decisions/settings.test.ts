import { changeSettings } from '../../../src/domain/decisions/settings'

const before = { changeRequestsEnabled: true, requiredApprovals: 2 }
const occasion = {
  project: 'shop',
  environment: 'production',
  userId: 1,
  machine: {},
  signature: 'ann@example.com',
  ip: '::1',
  now: '2026-03-04T12:00:00.000Z',
}

describe('changeSettings(before, wanted, occasion)', () => {
  it.each([
    { wanted: { changeRequestsEnabled: false, requiredApprovals: 2 }, after: [false, 2], events: 1 },
    { wanted: { changeRequestsEnabled: true, requiredApprovals: 3 }, after: [true, 3], events: 1 },
    { wanted: { changeRequestsEnabled: false, requiredApprovals: null }, after: [false, 2], events: 1 },
    { wanted: { changeRequestsEnabled: true, requiredApprovals: null }, after: [true, 2], events: 0 },
    { wanted: before, after: [true, 2], events: 0 },
  ])('$wanted: $after, $events events', ({ wanted, after, events }) => {
    const changed = changeSettings(before, wanted, occasion)
    expect(Object.values(changed.settings)).toEqual(after)
    expect(changed.events).toHaveLength(events)
  })

  it('creates one event with the old and the new settings', () => {
    const after = { changeRequestsEnabled: false, requiredApprovals: 4 }
    expect(changeSettings(before, after, occasion).events).toEqual([
      {
        type: 'change-request-configuration-updated',
        createdAt: occasion.now,
        createdBy: 'ann@example.com',
        createdByUserId: 1,
        environment: 'production',
        project: 'shop',
        featureName: null,
        data: after,
        preData: before,
        tags: [],
        ip: '::1',
        groupType: null,
        groupId: null,
      },
    ])
  })

  it('names the system user for a key without a user id', () => {
    const wanted = { changeRequestsEnabled: false, requiredApprovals: null }
    const { events } = changeSettings(before, wanted, { ...occasion, userId: null })
    expect(events).toMatchObject([{ createdByUserId: -1337 }])
  })

  it('names the machine that changed them, and has no event without a difference', () => {
    const machine = { kind: 'agent', onBehalfOf: { id: 2, username: 'ben' } } as const
    const wanted = { changeRequestsEnabled: false, requiredApprovals: null }
    expect(changeSettings(before, wanted, { ...occasion, machine }).events).toMatchObject([
      { createdByKind: 'agent', data: { changeRequestsEnabled: false, actor: machine }, preData: before },
    ])
    expect(changeSettings(before, before, { ...occasion, machine }).events).toEqual([])
  })
})
