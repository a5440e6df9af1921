import type { ChangeRequest, Emergency } from '../../../src/domain/change-request'
import { actionableStates, actionableWith, becauseOf } from '../../../src/domain/steps/inbox'
import { by, changeRequest, later, noon, personOf, vote } from '../support/change-requests'

const everything = { mayApprove: true, mayApply: true, conflict: true, overwrites: true, expiry: undefined }
const expiry = { afterMs: 60_000, at: later }
const both = [vote('ben'), vote('cleo')]
const approved = changeRequest({ state: 'Approved', approvals: both })
const stopped = (status: 'pending' | 'failed' | 'suspended') =>
  changeRequest({
    state: 'Scheduled',
    schedule: { scheduledAt: noon, status, reason: null },
    scheduling: { by: by('cleo').author, targets: {} },
  })
const emergency: Emergency = { reason: 'r', missing: [], appliedBy: personOf('ben'), acknowledgement: null }
const urgent = (more: Partial<Emergency> = {}) =>
  changeRequest({ state: 'Applied', emergency: { ...emergency, ...more } })
const voided = { by: personOf('ben'), at: noon, cause: 'edit', causedBy: personOf('ann') } as const

/** Ann (1) is the author. */
describe('becauseOf(changeRequest, facts)', () => {
  it.each<[string, ChangeRequest, number | null, object, string]>([
    ['in review', changeRequest(), 2, {}, 'review'],
    ['in review, requested', changeRequest({ requestedApprovers: [2] }), 2, {}, 'review,requested'],
    [
      'in review, requested without the permission',
      changeRequest({ requestedApprovers: [2] }),
      2,
      { mayApprove: false },
      '',
    ],
    ['in review, of another author', changeRequest({ otherAuthors: [2] }), 2, {}, ''],
    ['in review, with a vote', changeRequest({ approvals: both }), 2, {}, ''],
    ['in review, with votes of others', changeRequest({ approvals: both }), 4, {}, 'review'],
    ['in review, with an expired vote', changeRequest({ approvals: both }), 2, { expiry }, 'review,approvals-voided'],
    ['in review, with a voided vote', changeRequest({ voidedApprovals: [voided] }), 2, {}, 'review,approvals-voided'],
    ['in review, with a voided vote of another', changeRequest({ voidedApprovals: [voided] }), 3, {}, 'review'],
    ['in review, own', changeRequest(), 1, {}, 'conflict,overwrite'],
    ['in review, own with a conflict', changeRequest(), 1, { overwrites: false }, 'conflict'],
    ['in review, own with an overwrite', changeRequest(), 1, { conflict: false }, 'overwrite'],
    ['in review, for a key without a user id', changeRequest(), null, {}, ''],
    ['approved', approved, 4, {}, 'apply'],
    ['approved, without the permission', approved, 4, { mayApply: false }, ''],
    ['approved, own', approved, 1, {}, 'apply,conflict,overwrite'],
    ['approved, with expired votes', approved, 4, { expiry }, 'review'],
    ['approved, before the votes expire', approved, 4, { expiry: { ...expiry, afterMs: 3_600_000 } }, 'apply'],
    ['approved, with fewer votes than a later minimum', { ...approved, minApprovals: 3 }, 4, {}, 'apply'],
    ['suspended, own', stopped('suspended'), 1, {}, 'suspended'],
    ['suspended, scheduled by the user', stopped('suspended'), 3, {}, 'suspended'],
    ['suspended, of others', stopped('suspended'), 2, {}, ''],
    ['failed, own', stopped('failed'), 1, {}, 'failed'],
    ['scheduled, own', stopped('pending'), 1, {}, ''],
    ['an emergency', urgent(), 3, {}, 'acknowledge'],
    ['an emergency, without the permission', urgent(), 3, { mayApprove: false }, ''],
    ['an emergency that the user applied', urgent(), 2, {}, ''],
    ['an emergency, own', urgent(), 1, {}, ''],
    [
      'an emergency, acknowledged',
      urgent({ acknowledgement: { createdBy: personOf('cleo'), createdAt: noon } }),
      4,
      {},
      '',
    ],
    ['rejected, own', changeRequest({ state: 'Rejected' }), 1, {}, ''],
  ])('%s', (_, current, userId, more, expected) => {
    expect(becauseOf(current, { ...everything, userId, ...more }).join()).toBe(expected)
  })
})

describe('actionableWith(facts)', () => {
  const facts = { state: 'In review', own: false, reviewed: false } as const

  it('needs the permission to approve in review, and ADMIN for its authors', () => {
    expect(actionableWith(facts)).toEqual({ permission: 'APPROVE_CHANGE_REQUEST', admin: false })
    expect(actionableWith({ ...facts, own: true })).toEqual({ permission: 'APPROVE_CHANGE_REQUEST', admin: true })
    expect(actionableWith({ ...facts, reviewed: true })).toBeUndefined()
  })

  it('needs the permission to apply an Approved one, and nothing is enough in other states', () => {
    expect(actionableWith({ ...facts, state: 'Approved', own: true, reviewed: true })).toEqual({
      permission: 'APPLY_CHANGE_REQUEST',
      admin: false,
    })
    expect(actionableStates).toEqual(['In review', 'Approved'])
  })
})
