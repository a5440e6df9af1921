import { comment, rename, requestApprovers, requireStepWithComment } from '../../../src/domain/decisions/discussion'
import { states } from '../../../src/generated/lists'
import { changeRequest, facts, later, type Name, on, personOf, refusalOf, step, vote } from '../support/change-requests'

const details = (name: Name, anyone = false) => ({ ...on(name), facts: facts(name, { detailsByAnyone: anyone }) })
const saying = (name: Name, text: string, changeId: number | null = null) => ({ ...step(name, text), changeId })
const applying = { applyId: 'a', startedAt: later, digest: 'sha256:0', by: on('ben').by.author }

describe('comment(changeRequest, command)', () => {
  it.each(states)('%s: appends the comment, without an event', (state) => {
    const first = comment(changeRequest({ state }), saying('ben', 'why?')).changeRequest
    const { changeRequest: second, events } = comment(first, saying('ann', 'because'))
    expect(second).toEqual({
      ...changeRequest({ state }),
      comments: [
        { id: 1, text: 'why?', createdBy: personOf('ben'), createdAt: later },
        { id: 2, text: 'because', createdBy: personOf('ann'), createdAt: later },
      ],
    })
    expect(events).toEqual([])
  })

  it('can only refer to one of the changes', () => {
    const { comments } = comment(changeRequest(), saying('ben', 'why?', 2)).changeRequest
    expect(comments).toEqual([{ id: 1, text: 'why?', createdBy: personOf('ben'), createdAt: later, changeId: 2 }])
    expect(refusalOf(() => comment(changeRequest(), saying('ben', 'why?', 9)))).toBe(
      'NotFoundError: The change request 7 has no change 9.',
    )
  })
})

describe('requireStepWithComment(step, changeRequest, command)', () => {
  it('returns the change request itself without a comment, even at the limit', () => {
    const full = changeRequest({ comments: [] })
    expect(
      requireStepWithComment('comment', full, { ...step('ben'), commentLimits: { comments: -1, bytes: -1 } }),
    ).toBe(full)
  })
})

describe('rename(changeRequest, command, title)', () => {
  it('sets only the title, without an event', () => {
    const decision = rename(changeRequest(), details('ann'), 'Sale')
    expect(decision).toEqual({ changeRequest: changeRequest({ title: 'Sale' }), events: [] })
  })

  it.each(states)('%s: is rejected once it is closed', (state) => {
    const closed = ['Applied', 'Cancelled', 'Rejected'].includes(state)
    const refusal = refusalOf(() => rename(changeRequest({ state }), details('ann'), 'Sale'))
    expect(refusal).toBe(
      closed ? `ConflictError: The change request is ${state}: its title can no longer be edited.` : undefined,
    )
  })

  it('is for the author and admins, unless anyone can', () => {
    const denied = 'OperationDeniedError: Only the author of the change request or an admin may set its title.'
    expect(refusalOf(() => rename(changeRequest(), details('ben'), 'Sale'))).toBe(denied)
    expect(refusalOf(() => rename(changeRequest(), details('ben', true), 'Sale'))).toBeUndefined()
    expect(refusalOf(() => rename(changeRequest(), details('dora'), 'Sale'))).toBeUndefined()
  })
})

describe('requestApprovers(changeRequest, command, approvers)', () => {
  const asked = changeRequest({ requestedApprovers: [2, 3] })

  it('stores them, with one event that has the old and the new ones', () => {
    const { changeRequest: decided, events } = requestApprovers(asked, details('ann'), [3, 4])
    expect(decided).toEqual({ ...asked, requestedApprovers: [3, 4] })
    expect(events).toMatchObject([
      {
        type: 'change-request-requested-approvers-updated',
        createdBy: 'ann@example.com',
        createdAt: later,
        data: { changeRequestId: 7, reviewers: [3, 4] },
        preData: { changeRequestId: 7, reviewers: [2, 3] },
      },
    ])
    expect(events).toHaveLength(1)
  })

  it.each([
    { before: [2, 3], after: [2, 3], events: 0 },
    { before: [], after: [], events: 0 },
    { before: [2, 3], after: [3, 2], events: 1 },
    { before: [1, 2], after: [12], events: 1 },
    { before: [], after: [2], events: 1 },
    { before: [2], after: [], events: 1 },
  ])('$before -> $after: $events events', ({ before, after, events }) => {
    const command = { ...details('ann'), facts: { ...facts('ann'), reviewers: [2, 3, 12] } }
    const decision = requestApprovers(changeRequest({ requestedApprovers: before }), command, after)
    expect(decision.events).toHaveLength(events)
    expect(decision.changeRequest.requestedApprovers).toEqual(after)
  })

  it.each(states)('%s: is only possible in Draft and In review', (state) => {
    const refusal = refusalOf(() => requestApprovers(changeRequest({ state }), details('ann'), [2]))
    expect(refusal).toBe(
      state === 'Draft' || state === 'In review'
        ? undefined
        : `ConflictError: Approvers can be requested only before the approval; this change request is ${state}.`,
    )
  })

  it('accepts only users who can approve, were requested before or have approved', () => {
    const command = { ...details('ann'), facts: { ...facts('ann'), reviewers: [4] } }
    const voted = { ...asked, approvals: [vote('ann')] }
    expect(requestApprovers(voted, command, [1, 2, 3, 4]).changeRequest.requestedApprovers).toEqual([1, 2, 3, 4])
    const unable = () => requestApprovers(voted, command, [4, 5, 6])
    expect(refusalOf(unable)).toBe('BadDataError: These users cannot approve here: 5, 6.')
    expect(refusalOf(() => requestApprovers({ ...voted, state: 'Applied' }, command, [5]))).toMatch(/^ConflictError/)
  })

  it('is for the author and admins, and not while it is being applied', () => {
    expect(refusalOf(() => requestApprovers(asked, details('ben'), [4]))).toBe(
      'OperationDeniedError: Only the author of the change request or an admin may request approvers.',
    )
    expect(refusalOf(() => requestApprovers({ ...asked, applying }, details('ann'), [4]))).toMatch(/being applied/)
  })
})
