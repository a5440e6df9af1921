import type { ChangeRequest } from '../../../src/domain/change-request'
import { addChanges, discardChange, discardDraft, editChange, findChange } from '../../../src/domain/decisions/changes'
import type { Decision } from '../../../src/domain/decisions/decision'
import { approve, cancel, reject, submit } from '../../../src/domain/decisions/review'
import {
  change,
  changeRequest,
  digest,
  hash,
  later,
  type Name,
  on,
  refusalOf,
  step,
  vote,
} from '../support/change-requests'

const limits = { changes: 500, bytes: 10_000, targetsBytes: 10_000 }
const editing = (name: Name, changeId = 1) => ({ ...on(name), changeId, change: change(3), newId: 3, limits, hash })
const proposal = { ...on('ann'), changes: [change(3)], changeIds: [3], author: on('ann').by.author, limits, hash }

const denied = (text: string) => `OperationDeniedError: ${text}`
const conflict = (text: string) => `ConflictError: ${text}`

/** The step, the change request and the error. */
const rows: readonly (readonly [string, () => unknown, string])[] = [
  ['submit by a stranger', () => submit(inState('Draft'), step('ben')), denied(onlyAuthor('submit it for review'))],
  ['submit twice', () => submit(changeRequest(), step('ann')), conflict('The change request is already In review.')],
  [
    'submit nothing',
    () => submit({ ...inState('Draft'), changes: [] }, step('ann')),
    conflict('There is nothing to review: the change request has no changes.'),
  ],
  ['approve by the author', () => approve(changeRequest(), step('ann')), denied(secondPair('approve'))],
  ['reject by the author', () => reject(changeRequest(), step('ann')), denied(secondPair('reject'))],
  [
    'approve twice',
    () => approve(changeRequest({ approvals: [vote('ben')] }), step('ben')),
    conflict('You have already approved this change request.'),
  ],
  [
    'reject after approving',
    () => reject(changeRequest({ approvals: [vote('ben')] }), step('ben')),
    conflict("You have approved this change request, so you can't reject it."),
  ],
  ['reject twice', () => reject(inState('Rejected'), step('ben')), conflict('The change request is already Rejected.')],
  ['cancel by a stranger', () => cancel(changeRequest(), step('ben')), denied(authorOrAdmin('cancel it'))],
  [
    'cancel twice',
    () => cancel(inState('Cancelled'), step('ann')),
    conflict('The change request is already Cancelled.'),
  ],
  ['edit by a stranger', () => editChange(changeRequest(), editing('ben')), denied(onlyAuthor('edit its changes'))],
  [
    'discard by a stranger',
    () => discardChange(changeRequest(), on('ben'), 1),
    denied(onlyAuthor('discard its changes')),
  ],
  [
    'discard the draft by a stranger',
    () => discardDraft(inState('Draft'), on('ben')),
    denied(onlyAuthor('discard it')),
  ],
  [
    'discard what is no draft',
    () => discardDraft(changeRequest(), on('ann')),
    conflict('Only a Draft can be discarded; this change request is In review.'),
  ],
  [
    'discard the last change',
    () => discardChange(changeRequest({ changes: [change(1)] }), on('ann'), 1),
    conflict('The last change can be discarded only in a Draft. Cancel the change request instead.'),
  ],
  [
    'edit a change that is not there',
    () => editChange(changeRequest(), editing('ann', 9)),
    'NotFoundError: The change request 7 has no change 9.',
  ],
  [
    'find a change that is not there',
    () => findChange(changeRequest(), 9),
    'NotFoundError: The change request 7 has no change 9.',
  ],
  [
    'add to what is applied',
    () => addChanges(inState('Applied'), proposal),
    conflict('The change request is Applied: its changes can no longer be edited.'),
  ],
]

function inState(state: ChangeRequest['state']): ChangeRequest {
  return changeRequest({ state })
}

function onlyAuthor(what: string): string {
  return `Only the author of the change request may ${what}.`
}

function authorOrAdmin(what: string): string {
  return `Only the author of the change request or an admin may ${what}.`
}

function secondPair(what: string): string {
  return `You can't ${what} a change request that you created or edited.`
}

describe('the error of a decision that is rejected', () => {
  it.each(rows)('%s', (_, decide, refusal) => {
    expect(refusalOf(decide)).toBe(refusal)
  })

  it('a change without an id is a fault of the caller', () => {
    expect(() => addChanges(inState('Draft'), { ...proposal, changeIds: [] })).toThrow(
      'A change was left without an id.',
    )
  })
})

describe('what is stored and logged', () => {
  it('of an edit: the new change at the end with a new id, and the old change', () => {
    const payload = { enabled: false }
    const command = { ...editing('ann'), change: { ...change(3), payload } }
    const { changeRequest: edited, events } = editChange(changeRequest(), command)
    expect(edited.changes).toEqual([change(2), { ...change(3), payload, createdAt: later, replaces: 1 }])
    expect(events).toMatchObject([
      {
        type: 'change-edited',
        createdAt: later,
        featureName: 'checkout',
        data: { changeRequestId: 7, changeId: 3, action: 'updateEnabled', feature: 'checkout', payload },
        preData: {
          changeRequestId: 7,
          changeId: 1,
          action: 'updateEnabled',
          feature: 'checkout',
          payload: { enabled: true },
        },
      },
    ])
  })

  it('of a discarded change: the old change', () => {
    const segment = change(2, { action: 'deleteSegment', feature: null, payload: { id: 4 } })
    const current = changeRequest({ changes: [change(1), segment] })
    const { changeRequest: left, events } = discardChange(current, on('ann'), 2)
    expect(left.changes).toEqual([change(1)])
    expect(events).toMatchObject([
      {
        type: 'change-discarded',
        featureName: null,
        data: { changeRequestId: 7 },
        preData: { changeRequestId: 7, changeId: 2, action: 'deleteSegment', segmentId: 4, payload: { id: 4 } },
      },
    ])
    expect(events[0]?.data).toEqual({ changeRequestId: 7 })
  })

  it('of a submission and a cancellation: an event each', () => {
    const typesOf = ({ events }: Decision) => events.map(({ type }) => type)
    expect(typesOf(submit(inState('Draft'), step('ann')))).toEqual(['change-request-sent-to-review'])
    expect(typesOf(cancel(changeRequest(), step('ann')))).toEqual(['change-request-cancelled'])
  })

  it('of a discarded draft: that it is removed', () => {
    const decision = discardDraft(inState('Draft'), on('ann'))
    expect(decision).toMatchObject({ changeRequest: inState('Draft'), removed: true })
    expect(decision.events).toMatchObject([{ type: 'change-request-discarded', featureName: 'checkout' }])
  })

  it('of a rejection: the vote, and the end of the schedule', () => {
    const schedule = { scheduledAt: later, status: 'pending', reason: null } as const
    const { changeRequest: rejected, events } = reject({ ...inState('Scheduled'), schedule }, step('ann'))
    expect(rejected).toMatchObject({
      state: 'Rejected',
      schedule: null,
      rejections: [{ createdBy: on('ann').by.author.person, createdAt: later, digest }],
      stateTimestamps: { Rejected: later },
    })
    expect(events).toMatchObject([{ type: 'change-request-rejected', createdBy: 'ann@example.com', ip: '::1' }])
  })

  it('of a rejection by a user who had approved it, when it is scheduled', () => {
    const { changeRequest: rejected } = reject(
      changeRequest({ state: 'Scheduled', approvals: [vote('ben')] }),
      step('ben'),
    )
    expect(rejected.state).toBe('Rejected')
  })
})
