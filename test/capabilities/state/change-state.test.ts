import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import { parseStateUpdate } from '../../../src/capabilities/state/routes'
import { states } from '../../../src/generated/lists'
import { by, createFixture, noon, production, rejection } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { expectRejected, labelled } from '../../validation/rejection'

const outOfOrder = () => Promise.reject(new Error('out of order'))

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
})

describe('changeState of a scheduled change request', () => {
  const scheduled = async () => {
    const fixture = createFixture({ schedule: 'elsewhere', recordOnly: true })
    await fixture.approved()
    await fixture.to('ben', 'Scheduled')
    return fixture
  }

  it.each(['ann', 'dora'] as const)('lets %s reject it without the permission to approve', async (who) => {
    const fixture = await scheduled()
    fixture.host.allows = ({ id }, permission) => permission === 'ADMIN' && id === 4
    expect((await fixture.to(who, 'Rejected')).changeRequest.state).toBe('Rejected')
  })

  it('lets others reject it only with that permission', async () => {
    const fixture = await scheduled()
    fixture.host.allows = () => false
    expect((await rejection(fixture.to('cleo', 'Rejected'))).name).toBe('PermissionError')
    fixture.host.allows = (_, permission) => permission === 'APPROVE_CHANGE_REQUEST'
    expect((await fixture.to('cleo', 'Rejected')).changeRequest.state).toBe('Rejected')
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
    await fixture.reviewed()
    flags.instead = outOfOrder
    expect((await rejection(fixture.to('ben', 'Approved'))).name).toBe('UnavailableError')
    expect((await rejection(fixture.to('ben', 'Rejected', { digest: 'sha256:any' }))).name).toBe('UnavailableError')
  })
})

const smile = '🙂'

describe('PUT .../change-requests/:id/state', () => {
  it.each(states.filter((state) => state !== 'Scheduled'))('accepts %s', (state) => {
    expect(parseStateUpdate({ state })).toEqual({ state, comment: null, scheduledAt: null, digest: null, reason: null })
  })

  it('accepts Scheduled with a time, past ones too', () => {
    expect(parseStateUpdate({ state: 'Scheduled', scheduledAt: '1999-12-31T23:59:59Z', comment: 'Go' })).toEqual({
      state: 'Scheduled',
      comment: 'Go',
      scheduledAt: '1999-12-31T23:59:59.000Z',
      digest: null,
      reason: null,
    })
  })

  it.each([
    ['2030-01-01T00:30:00+01:00', '2029-12-31T23:30:00.000Z'],
    ['2030-01-01t00:00:00.1234567z', '2030-01-01T00:00:00.123Z'],
    ['2028-02-29T00:00:00-12:00', '2028-02-29T12:00:00.000Z'],
  ])('turns the time %s into %s', (scheduledAt, expected) => {
    expect(parseStateUpdate({ state: 'Scheduled', scheduledAt }).scheduledAt).toBe(expected)
  })

  it('ignores unknown properties, and a time for another state', () => {
    const body = { state: 'Applied', scheduledAt: 'tomorrow', note: { deep: [1] } }
    expect(parseStateUpdate(body)).toEqual({
      state: 'Applied',
      comment: null,
      scheduledAt: null,
      digest: null,
      reason: null,
    })
  })

  it.each([
    ['', null],
    [' \n\t', null],
    [' Fine\nby me ', 'Fine\nby me'],
    ['x'.repeat(10_000), 'x'.repeat(10_000)],
    [` ${smile.repeat(10_000)} `, smile.repeat(10_000)],
  ])('trims the comment, and a blank one is null: %#', (comment, expected) => {
    expect(parseStateUpdate({ state: 'Approved', comment }).comment).toBe(expected)
  })

  it.each([10, 1_000])(
    'accepts an emergency for Applied, with a reason of %d characters without its blanks',
    (length) => {
      const reason = smile.repeat(length)
      expect(parseStateUpdate({ state: 'Applied', emergency: { reason: ` ${reason} ` } }).reason).toBe(reason)
    },
  )

  const allowed = `state must be one of ${states.map((state) => `"${state}"`).join(', ')}, got`

  it.each(
    labelled([
      [{}, '/body/state', 'state is required and missing'],
      [{ state: 'approved' }, 'state', `${allowed} "approved"`],
      [{ state: 'Closed', comment: 1 }, 'state', `${allowed} "Closed"`],
      [{ state: 'constructor' }, 'state', `${allowed} "constructor"`],
      [{ state: ['Approved'] }, 'state', `${allowed} ["Approved"]`],
      [{ state: 'Applied', emergency: {} }, '/body/emergency/reason', 'reason is required and missing'],
      [{ state: 'Applied', emergency: { reason: ' too short ' } }, '/body/emergency/reason', 'must have 10 to 1000'],
      [
        { state: 'Applied', emergency: { reason: 'x'.repeat(1_001) } },
        '/body/emergency/reason',
        'must have 10 to 1000',
      ],
      [
        { state: 'Applied', emergency: { reason: 'x'.repeat(10), why: 1 } },
        '/body/emergency/why',
        'why is not allowed',
      ],
      [
        { state: 'Approved', emergency: { reason: 'x'.repeat(10) } },
        '/body/emergency',
        'is only for the state Applied',
      ],
      [{ state: 'Approved', comment: 12 }, '/body/comment', 'must be string, got 12'],
      [{ state: 'Approved', comment: 'x'.repeat(10_001) }, '/body/comment', 'must have 1 to 10000 characters'],
      [{ state: 'Scheduled' }, '/body/scheduledAt', 'scheduledAt is required and missing'],
      [{ state: 'Scheduled', scheduledAt: 1893456000000 }, '/body/scheduledAt', 'must be string'],
      [
        { state: 'Scheduled', scheduledAt: '2030-01-01T00:00:00' },
        '/body/scheduledAt',
        'must be a date and time with Z or an offset, such as 2026-',
      ],
      [
        { state: 'Scheduled', scheduledAt: '2030-02-30T00:00:00Z' },
        '/body/scheduledAt',
        'must be a date and time with Z or an offset, such as 2026-',
      ],
    ]),
  )('rejects %s', (_, body, path, message) => {
    expectRejected(parseStateUpdate, body, path, message)
  })
})
