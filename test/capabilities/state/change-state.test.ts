import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import type { State } from '../../../src/domain/lifecycle'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import {
  by,
  createFixture,
  enable,
  type Fixture,
  noon,
  production,
  rejection,
  type Who,
} from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const outOfOrder = () => Promise.reject(new Error('out of order'))

/** As stored by a host with its own scheduler. */
async function scheduled(fixture: Fixture) {
  await fixture.approved()
  const { version, changeRequest } = (await fixture.storage.find({ project: 'shop' }, 1)) as StoredChangeRequest
  const later: StoredChangeRequest['changeRequest'] = {
    ...changeRequest,
    state: 'Scheduled',
    stateTimestamps: { ...changeRequest.stateTimestamps, Scheduled: noon },
  }
  await fixture.services.writer.commit({ version, changeRequest }, { changeRequest: later, events: [] })
}

/** @see contract 6.2 */
describe('changeState', () => {
  it('goes from Draft to Approved, with the event and the comment of each step', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    const sent = await fixture.to('ann', 'In review', { comment: 'Please.' })
    expect(sent.changeRequest).toMatchObject({ state: 'In review', comments: [{ text: 'Please.' }] })
    const voted = await fixture.to('ben', 'Approved', { comment: 'Go.' })
    expect(voted.changeRequest).toMatchObject({
      state: 'Approved',
      approvals: [{ createdBy: { id: 2 }, createdAt: noon }],
      comments: [{ text: 'Please.' }, { text: 'Go.', createdBy: { id: 2 } }],
    })
    expect((await fixture.eventTypes()).slice(2)).toEqual([
      'change-request-sent-to-review',
      'change-request-approval-added',
      'change-request-approved',
    ])
  })

  it('rejects and cancels', async () => {
    const fixture = createFixture()
    await fixture.reviewed()
    expect((await fixture.to('ben', 'Rejected')).changeRequest.state).toBe('Rejected')
    await fixture.propose('ann')
    expect((await fixture.to('ann', 'Cancelled', { id: 2 })).changeRequest.state).toBe('Cancelled')
    const types = await fixture.eventTypes()
    expect(types).toEqual(expect.arrayContaining(['change-request-rejected', 'change-request-cancelled']))
  })

  it('sends to review with the current minimum of approvals', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    const requiredApprovals = 4
    await changeSettings(fixture.services, {
      ...by('dora'),
      ...production,
      changeRequestsEnabled: true,
      requiredApprovals,
    })
    expect((await fixture.to('ann', 'In review')).changeRequest.minApprovals).toBe(4)
  })

  it.each([
    ['Draft', 'A change request in the state In review cannot become Draft.'],
    ['Scheduled', 'Scheduling is not available. Apply the change request yourself when it is time.'],
  ] as const)('to %s is rejected for everyone, in every state', async (state, message) => {
    const fixture = createFixture()
    await fixture.reviewed()
    expect(await rejection(fixture.to('ann', state))).toMatchObject({ name: 'ConflictError', message })
  })

  it('to Draft is rejected with 412 for another revision', async () => {
    const fixture = createFixture()
    await fixture.reviewed()
    const { name } = await rejection(fixture.to('ann', 'Draft', { ifMatch: '"1-1"' }))
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
    const fixture = createFixture()
    await fixture.reviewed()
    fixture.host.allows = (_, asked) => asked !== permission
    const place = permission === 'READ_CHANGE_REQUEST' ? 'project shop' : 'project shop and environment production'
    expect(await rejection(fixture.to(who, state))).toMatchObject({
      name: 'PermissionError',
      message: `You need the permission ${permission} in ${place}.`,
    })
  })

  it.each(asksFor)('to %s is rejected for a key without a user id', async (state) => {
    const fixture = createFixture()
    await fixture.reviewed()
    expect((await rejection(fixture.to('robot', state))).name).toBe('OperationDeniedError')
  })

  it.each(['Approved', 'Rejected', 'Cancelled', 'Scheduled', 'Applied'] as const)(
    'to %s stores its text even where the comments are full',
    async (state) => {
      const limits = { commentsPerChangeRequest: 0, commentsBytes: 1 }
      const fixture = createFixture({ recordOnly: true, schedule: 'elsewhere', limits })
      await (state === 'Applied' || state === 'Scheduled' ? fixture.approved() : fixture.reviewed())
      const who = state === 'Cancelled' ? 'ann' : 'ben'
      const { changeRequest } = await fixture.to(who, state, { comment: 'Well?' })
      expect(changeRequest.comments.map(({ text }) => text)).toEqual(['Well?'])
    },
  )

  it('accepts the approval of an own change request only with the option adminSelfApproval', async () => {
    for (const adminSelfApproval of [false, true]) {
      const fixture = createFixture({ adminSelfApproval })
      await fixture.propose('dora')
      await fixture.to('dora', 'In review')
      const vote = fixture.to('dora', 'Approved').then(
        ({ changeRequest }) => changeRequest.state,
        ({ name }: Error) => name,
      )
      expect(await vote).toBe(adminSelfApproval ? 'Approved' : 'OperationDeniedError')
    }
  })
})

describe('changeState of a scheduled change request', () => {
  it.each(['ann', 'dora'] as const)('lets %s reject it without the permission to approve', async (who) => {
    const fixture = createFixture()
    await scheduled(fixture)
    fixture.host.allows = ({ id }, permission) => permission === 'ADMIN' && id === 4
    expect((await fixture.to(who, 'Rejected')).changeRequest.state).toBe('Rejected')
  })

  it('lets others reject it only with that permission', async () => {
    const fixture = createFixture()
    await scheduled(fixture)
    fixture.host.allows = () => false
    expect((await rejection(fixture.to('cleo', 'Rejected'))).name).toBe('PermissionError')
    fixture.host.allows = (_, permission) => permission === 'APPROVE_CHANGE_REQUEST'
    expect((await fixture.to('cleo', 'Rejected')).changeRequest.state).toBe('Rejected')
  })

  it('requires that permission from the author for an approval, and for a rejection in review', async () => {
    const fixture = createFixture()
    await fixture.reviewed()
    fixture.host.allows = () => false
    expect((await rejection(fixture.to('ann', 'Rejected'))).name).toBe('PermissionError')
    const other = createFixture()
    await scheduled(other)
    other.host.allows = () => false
    expect((await rejection(other.to('ann', 'Approved'))).name).toBe('PermissionError')
  })
})

describe('the previous flags', () => {
  it.each([
    ['Rejected', 'ben'],
    ['Cancelled', 'ann'],
  ] as const)('are stored with a change request that is %s', async (state, who) => {
    const fixture = createFixture({ flags: new HostFlags() })
    await fixture.reviewed()
    expect((await fixture.to(who, state)).changeRequest.changes[0]?.snapshot).toEqual({ enabled: false })
  })

  it('are not stored with an approved one, which is still open', async () => {
    const fixture = createFixture({ flags: new HostFlags() })
    expect((await fixture.approved()).changeRequest.changes[0]).not.toHaveProperty('snapshot')
  })

  it.each([
    ['Rejected', 'ben'],
    ['Cancelled', 'ann'],
  ] as const)('are omitted from one that is %s while the gateway is down, which is logged', async (state, who) => {
    const flags = new HostFlags()
    const fixture = createFixture({ flags })
    await fixture.reviewed()
    flags.instead = outOfOrder
    const { changeRequest } = await fixture.to(who, state)
    expect([changeRequest.state, 'snapshot' in (changeRequest.changes[0] ?? {})]).toEqual([state, false])
    expect(fixture.lines).toEqual([
      {
        level: 'warn',
        facts: { err: expect.objectContaining({ name: 'UnavailableError' }), id: 1 },
        text: 'A change request was closed without a snapshot of its flags, because the flag gateway failed.',
      },
    ])
  })

  it('are needed for an approval, and for a rejection that names a digest', async () => {
    const flags = new HostFlags()
    const fixture = createFixture({ flags })
    await fixture.reviewed([enable()])
    flags.instead = outOfOrder
    expect((await rejection(fixture.to('ben', 'Approved'))).name).toBe('UnavailableError')
    expect((await rejection(fixture.to('ben', 'Rejected', { digest: 'sha256:any' }))).name).toBe('UnavailableError')
  })
})
