import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import type { State } from '../../../src/domain/lifecycle'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { HostFlags } from '../../kernel/support/flags'
import { by, createWorld, enable, noon, production, rejection, type Who, type World } from '../../kernel/support/world'

const outOfOrder = () => Promise.reject(new Error('out of order'))

/** As a host that schedules by itself would have stored it. */
async function scheduled(world: World) {
  await world.approved()
  const { version, changeRequest } = (await world.storage.find({ project: 'shop' }, 1)) as StoredChangeRequest
  const later: StoredChangeRequest['changeRequest'] = {
    ...changeRequest,
    state: 'Scheduled',
    stateTimestamps: { ...changeRequest.stateTimestamps, Scheduled: noon },
  }
  await world.services.writer.commit({ version, changeRequest }, { changeRequest: later, events: [] })
}

/** @see contract 6.2 */
describe('changeState', () => {
  it('goes the way from Draft to Approved, with the event and the comment of each step', async () => {
    const world = createWorld()
    await world.propose('ann')
    const sent = await world.to('ann', 'In review', { comment: 'Please.' })
    expect(sent.changeRequest).toMatchObject({ state: 'In review', comments: [{ text: 'Please.' }] })
    const voted = await world.to('ben', 'Approved', { comment: 'Go.' })
    expect(voted.changeRequest).toMatchObject({
      state: 'Approved',
      approvals: [{ createdBy: { id: 2 }, createdAt: noon }],
      comments: [{ text: 'Please.' }, { text: 'Go.', createdBy: { id: 2 } }],
    })
    expect((await world.eventTypes()).slice(2)).toEqual([
      'change-request-sent-to-review',
      'change-request-approval-added',
      'change-request-approved',
    ])
  })

  it('rejects and cancels', async () => {
    const world = createWorld()
    await world.reviewed()
    expect((await world.to('ben', 'Rejected')).changeRequest.state).toBe('Rejected')
    await world.propose('ann')
    expect((await world.to('ann', 'Cancelled', { id: 2 })).changeRequest.state).toBe('Cancelled')
    const types = await world.eventTypes()
    expect(types).toEqual(expect.arrayContaining(['change-request-rejected', 'change-request-cancelled']))
  })

  it('sends to review with the minimum of approvals that holds by then', async () => {
    const world = createWorld()
    await world.propose('ann')
    const requiredApprovals = 4
    await changeSettings(world.services, {
      ...by('dora'),
      ...production,
      changeRequestsEnabled: true,
      requiredApprovals,
    })
    expect((await world.to('ann', 'In review')).changeRequest.minApprovals).toBe(4)
  })

  it.each([
    ['Draft', 'A change request in the state In review cannot become Draft.'],
    ['Scheduled', 'Scheduling is not configured. Apply the change request yourself when it is time.'],
  ] as const)('to %s is refused to all, in whatever state it is', async (state, message) => {
    const world = createWorld()
    await world.reviewed()
    expect(await rejection(world.to('ann', state))).toMatchObject({ name: 'ConflictError', message })
  })

  it('to Draft is rejected with 412 for another revision', async () => {
    const world = createWorld()
    await world.reviewed()
    const { name } = await rejection(world.to('ann', 'Draft', { ifMatch: '"1-1"' }))
    expect(name).toBe('PreconditionFailedError')
  })

  const asksFor: readonly (readonly [State, Who, string])[] = [
    ['In review', 'ann', 'CREATE_CHANGE_REQUEST'],
    ['Approved', 'ben', 'APPROVE_CHANGE_REQUEST'],
    ['Rejected', 'ben', 'APPROVE_CHANGE_REQUEST'],
    ['Applied', 'ben', 'APPLY_CHANGE_REQUEST'],
    ['Cancelled', 'ann', 'CREATE_CHANGE_REQUEST'],
    ['Scheduled', 'ben', 'APPLY_CHANGE_REQUEST'],
    ['Draft', 'ben', 'READ_CHANGE_REQUEST'],
  ]

  it.each(asksFor)('to %s is rejected to %s without %s', async (state, who, permission) => {
    const world = createWorld()
    await world.reviewed()
    world.host.allows = (_, asked) => asked !== permission
    const place = permission === 'READ_CHANGE_REQUEST' ? 'project shop' : 'project shop and environment production'
    expect(await rejection(world.to(who, state))).toMatchObject({
      name: 'PermissionError',
      message: `You need the permission ${permission} in ${place}.`,
    })
  })

  it.each(asksFor)('to %s is rejected for a key without a user id', async (state) => {
    const world = createWorld()
    await world.reviewed()
    expect((await rejection(world.to('robot', state))).name).toBe('OperationDeniedError')
  })

  it.each(asksFor)('to %s is rejected where there is no room for the comment', async (state, who) => {
    const world = createWorld({ recordOnly: true, limits: { commentsPerChangeRequest: 0 } })
    await (state === 'Applied' ? world.approved() : world.reviewed())
    const { name } = await rejection(world.to(who, state, { comment: 'Well?' }))
    expect(name).toBe(state === 'Draft' ? 'ConflictError' : 'ExceedsLimitError')
  })

  it('an own change request is approved with the option adminSelfApproval alone', async () => {
    for (const adminSelfApproval of [false, true]) {
      const world = createWorld({ adminSelfApproval })
      await world.propose('dora')
      await world.to('dora', 'In review')
      const vote = world.to('dora', 'Approved').then(
        ({ changeRequest }) => changeRequest.state,
        ({ name }: Error) => name,
      )
      expect(await vote).toBe(adminSelfApproval ? 'Approved' : 'OperationDeniedError')
    }
  })
})

describe('changeState of what is scheduled', () => {
  it.each(['ann', 'dora'] as const)('lets %s reject it without the permission to approve', async (who) => {
    const world = createWorld()
    await scheduled(world)
    world.host.allows = ({ id }, permission) => permission === 'ADMIN' && id === 4
    expect((await world.to(who, 'Rejected')).changeRequest.state).toBe('Rejected')
  })

  it('lets others reject it only with that permission', async () => {
    const world = createWorld()
    await scheduled(world)
    world.host.allows = () => false
    expect((await rejection(world.to('cleo', 'Rejected'))).name).toBe('PermissionError')
    world.host.allows = (_, permission) => permission === 'APPROVE_CHANGE_REQUEST'
    expect((await world.to('cleo', 'Rejected')).changeRequest.state).toBe('Rejected')
  })

  it('needs that permission for an approval, and of the author of a change request in review', async () => {
    const world = createWorld()
    await world.reviewed()
    world.host.allows = () => false
    expect((await rejection(world.to('ann', 'Rejected'))).name).toBe('PermissionError')
    const other = createWorld()
    await scheduled(other)
    other.host.allows = () => false
    expect((await rejection(other.to('ann', 'Approved'))).name).toBe('PermissionError')
  })
})

describe('what the flags were', () => {
  it.each([
    ['Rejected', 'ben'],
    ['Cancelled', 'ann'],
  ] as const)('is kept with what is %s', async (state, who) => {
    const world = createWorld({ flags: new HostFlags() })
    await world.reviewed()
    expect((await world.to(who, state)).changeRequest.changes[0]?.snapshot).toEqual({ enabled: false })
  })

  it('is not kept with what is approved, which is still open', async () => {
    const world = createWorld({ flags: new HostFlags() })
    expect((await world.approved()).changeRequest.changes[0]).not.toHaveProperty('snapshot')
  })

  it.each([
    ['Rejected', 'ben'],
    ['Cancelled', 'ann'],
  ] as const)('is left out of what is %s while the gateway is down, and the log says so', async (state, who) => {
    const flags = new HostFlags()
    const world = createWorld({ flags })
    await world.reviewed()
    flags.instead = outOfOrder
    const { changeRequest } = await world.to(who, state)
    expect([changeRequest.state, 'snapshot' in (changeRequest.changes[0] ?? {})]).toEqual([state, false])
    expect(world.lines).toEqual([
      {
        level: 'warn',
        facts: { err: expect.objectContaining({ name: 'UnavailableError' }), id: 1 },
        text: 'A change request was closed without a snapshot of its flags, because the flag gateway failed.',
      },
    ])
  })

  it('is needed for an approval, and for a rejection that names a digest', async () => {
    const flags = new HostFlags()
    const world = createWorld({ flags })
    await world.reviewed([enable()])
    flags.instead = outOfOrder
    expect((await rejection(world.to('ben', 'Approved'))).name).toBe('UnavailableError')
    expect((await rejection(world.to('ben', 'Rejected', { digest: 'sha256:any' }))).name).toBe('UnavailableError')
  })
})
