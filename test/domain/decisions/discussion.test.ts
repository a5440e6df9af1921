import type { ChangeRequest, Emergency } from '../../../src/domain/change-request'
import type { CommentLimits } from '../../../src/domain/content/size'
import type { Decision } from '../../../src/domain/decisions/decision'
import {
  comment,
  deleteComment,
  editComment,
  rename,
  requestApprovers,
  requireStepWithComment,
  resolveComment,
} from '../../../src/domain/decisions/discussion'
import { acknowledge, approve, cancel, reject, submit } from '../../../src/domain/decisions/review'
import { schedule } from '../../../src/domain/decisions/schedule'
import { states } from '../../../src/generated/lists'
import {
  changeRequest,
  commentOf,
  facts,
  type GatheredFacts,
  later,
  type Name,
  noon,
  on,
  personOf,
  refusalOf,
  step,
  vote,
} from '../support/change-requests'

const details = (name: Name, anyone = false) => ({ ...on(name), facts: facts(name, { detailsByAnyone: anyone }) })
const saying = (name: Name, text: string, changeId: number | null = null) => ({ ...step(name, text), changeId })

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

describe('a step with a text', () => {
  const none = { comments: 0, bytes: 0, bytesWithSteps: 0 }
  const full = (properties: Partial<ChangeRequest> = {}) =>
    changeRequest({ comments: [commentOf(1, 'cleo')], ...properties })
  const text = 'x'.repeat(10_000)
  const within = (who: Name, commentLimits: CommentLimits) => {
    return { ...step(who, text), facts: facts(who, { scheduler: true }), commentLimits }
  }
  const draft = full({ state: 'Draft' })
  const approvals = [vote('ben'), vote('cleo')]
  const approved = full({ state: 'Approved', approvals })
  const emergency: Emergency = { reason: 'r', missing: [], appliedBy: personOf('ann'), acknowledgement: null }
  const applied = full({ state: 'Applied', emergency })
  const scheduledAt = '2026-03-05T12:00:00.000Z'

  it('returns the change request itself without a comment', () => {
    expect(requireStepWithComment('cancel', draft, step('ann'))).toBe(draft)
  })

  const steps: readonly (readonly [name: string, take: (commentLimits: CommentLimits) => Decision])[] = [
    ['submit', (commentLimits) => submit(draft, within('ann', commentLimits))],
    ['approve', (commentLimits) => approve(full(), within('ben', commentLimits))],
    ['reject', (commentLimits) => reject(full(), within('ben', commentLimits))],
    ['cancel', (commentLimits) => cancel(full(), within('ann', commentLimits))],
    ['schedule', (commentLimits) => schedule(approved, { ...within('ben', commentLimits), scheduledAt })],
    ['acknowledge', (commentLimits) => acknowledge(applied, within('ben', commentLimits))],
  ]
  it.each(steps)('%s: is stored with its whole text where ordinary comments are full', (_, take) => {
    const { comments } = take({ ...none, bytesWithSteps: 11_000 }).changeRequest
    expect(comments).toMatchObject([{ id: 1 }, { id: 2, text }])
  })

  it('is stored even without the reserve if it closes the change request or can be taken once', () => {
    const isStored = (take: (typeof steps)[number][1]) => take(none).changeRequest.comments.at(-1)?.text === text
    expect(steps.filter(([, take]) => isStored(take)).map(([name]) => name)).toEqual([
      'submit',
      'reject',
      'cancel',
      'acknowledge',
    ])
  })

  it('does not let its texts grow beyond the reserve, however often it is taken', () => {
    const commentLimits = { ...none, bytesWithSteps: 25_000 }
    let current = approved
    for (let count = 1; count <= 20; count += 1) {
      current = schedule({ ...current, approvals }, { ...within('ben', commentLimits), scheduledAt }).changeRequest
      current = approve({ ...current, approvals: [] }, within('ben', commentLimits)).changeRequest
    }
    const texts = current.comments.map((one) => one.text)
    expect(texts.slice(0, 3)).toEqual(['Comment 1', text, text])
    expect(texts[3]).toMatch(/^x+ \[…\]$/)
    expect(texts).toHaveLength(4)
    expect(Buffer.byteLength(JSON.stringify(current.comments))).toBeLessThan(25_200)
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
})

describe.each([
  ['editComment', 'edit'],
  ['deleteComment', 'delete'],
] as const)('%s(changeRequest, command)', (name, verb) => {
  const take = (current: ChangeRequest, who: Name, commentId: number | undefined, now = later) => {
    const command = { ...step(who), facts: { ...facts(who), commentId }, now }
    return name === 'editComment'
      ? editComment(current, { ...command, text: 'Better.' })
      : deleteComment(current, command)
  }
  const [first, last] = [commentOf(1, 'ben', { changeId: 2 }), commentOf(2, 'cleo')]
  const two = changeRequest({ comments: [first, last] })

  it('changes only this comment, without an event', () => {
    const { changeRequest: decided, events } = take(two, 'cleo', 2)
    const changed = name === 'editComment' ? { text: 'Better.', editedAt: later } : { text: null, deletedAt: later }
    expect([decided, events]).toEqual([{ ...two, comments: [first, { ...last, ...changed }] }, []])
  })

  it('is for its author, even where others have every permission', () => {
    const denied = `OperationDeniedError: Only the author of the comment may ${verb} it.`
    for (const who of ['ann', 'ben', 'dora'] as const) expect(refusalOf(() => take(two, who, 2))).toBe(denied)
  })

  it.each([undefined, 0, 3])('finds no comment %p', (id) => {
    expect(refusalOf(() => take(two, 'ben', id))).toBe('NotFoundError: The change request 7 has no such comment.')
  })

  it('finds no deleted comment, which still answers the one before', () => {
    const deleted = changeRequest({ comments: [first, { ...last, text: null, deletedAt: noon }] })
    expect(refusalOf(() => take(deleted, 'cleo', 2))).toBe('NotFoundError: The change request 7 has no such comment.')
    expect(refusalOf(() => take(deleted, 'ben', 1))).toMatch(/^ConflictError/)
  })

  it('is possible for 10 minutes', () => {
    expect(refusalOf(() => take(two, 'cleo', 2, '2026-03-04T12:10:00.000Z'))).toBeUndefined()
    expect(refusalOf(() => take(two, 'cleo', 2, '2026-03-04T12:10:00.001Z'))).toBe(
      'ConflictError: A comment can be edited or deleted only within 10 minutes.',
    )
  })

  it.each(states)('%s: is rejected once it is closed', (state) => {
    const closed = ['Applied', 'Cancelled', 'Rejected'].includes(state)
    const refusal = refusalOf(() => take({ ...two, state }, 'cleo', 2))
    expect(refusal).toBe(
      closed
        ? `ConflictError: The change request is ${state}: its comments can no longer be edited, deleted or resolved.`
        : undefined,
    )
  })

  const approvedBy = (who: Name, current: ChangeRequest, text: string | null = null) =>
    approve(current, step(who, text)).changeRequest
  it.each<[string, (current: ChangeRequest) => ChangeRequest]>([
    ['a comment', (current) => comment(current, saying('ann', 'Why?')).changeRequest],
    ['a vote in the same millisecond', (current) => approvedBy('ben', current)],
    ['a vote that an edit voids', (current) => ({ ...approvedBy('ben', current), approvals: [] })],
    ['a submit', (current) => submit({ ...current, state: 'Draft' }, step('ann')).changeRequest],
  ])('is rejected after %s', (_, answer) => {
    expect(refusalOf(() => take(answer(two), 'cleo', 2))).toMatch(/^ConflictError: .* until someone comments/)
  })

  it('is rejected for a comment that came with a step, and possible for the next one', () => {
    const voted = approvedBy('ben', two, 'Fine.')
    expect(refusalOf(() => take(voted, 'ben', 3))).toMatch(/^ConflictError: .* not if it was sent with such a step/)
    const after = comment(voted, saying('ben', 'Or not?')).changeRequest
    expect(take(after, 'ben', 4).changeRequest.comments).toHaveLength(4)
  })
})

describe('editComment(changeRequest, command)', () => {
  const one = changeRequest({ comments: [commentOf(1, 'ben')] })
  const edit = (text: string, bytes = 10_000) => {
    const command = { ...step('ben'), facts: { ...facts('ben'), commentId: 1 }, text }
    return editComment(one, { ...command, commentLimits: { comments: 0, bytes, bytesWithSteps: 0 } })
  }

  it('counts the new text towards the limit', () => {
    expect(refusalOf(() => edit('x'.repeat(100), 150))).toMatch(/^ExceedsLimitError/)
    expect(refusalOf(() => edit('', 10_000))).toBeUndefined()
  })
})

describe('deleteComment(changeRequest, command)', () => {
  const postAndDelete = (current: ChangeRequest, who: Name) => {
    const posted = comment(current, saying(who, 'Again.')).changeRequest
    const commentId = posted.comments.at(-1)?.id ?? 0
    return deleteComment(posted, { ...on(who), facts: { ...facts(who), commentId } }).changeRequest
  }

  it('keeps the entries of the last 100, and never an id twice', () => {
    let current = comment(changeRequest(), saying('ann', 'First.')).changeRequest
    for (let count = 1; count <= 500; count += 1) current = postAndDelete(current, count % 2 === 0 ? 'ben' : 'cleo')
    current = comment(current, saying('ann', 'Last.')).changeRequest
    expect(current.comments.map(({ id }) => id)).toEqual([
      1,
      ...Array.from({ length: 100 }, (_, index) => index + 402),
      502,
    ])
    const voted = approve(current, step('ben')).changeRequest
    const change = { ...on('ann'), facts: { ...facts('ann'), commentId: 502 } }
    expect(refusalOf(() => deleteComment(current, change))).toBeUndefined()
    expect(refusalOf(() => deleteComment(voted, change))).toMatch(/^ConflictError: .* until someone comments/)
    expect(refusalOf(() => deleteComment(current, { ...change, facts: { ...change.facts, commentId: 300 } }))).toMatch(
      /^NotFoundError/,
    )
  })
})

describe('resolveComment(changeRequest, command)', () => {
  const open = commentOf(1, 'ben')
  const two = changeRequest({ comments: [open, commentOf(2, 'cleo')] })
  const take = (current: ChangeRequest, who: Name, resolved: boolean, held: Partial<GatheredFacts> = {}) =>
    resolveComment(current, { ...on(who), facts: { ...facts(who), ...held, commentId: 1 }, resolved }).changeRequest
  const noReviewer = { APPROVE_CHANGE_REQUEST: false }

  it('stores who resolved it and when, whatever came after it, and opens it again', () => {
    const resolved = take(two, 'cleo', true)
    expect(resolved.comments).toEqual([{ ...open, resolved: { by: personOf('cleo'), at: later } }, two.comments[1]])
    expect(take(resolved, 'ann', true)).toBe(resolved)
    expect(take(resolved, 'ann', false)).toEqual(two)
    expect(take(two, 'ann', false)).toBe(two)
  })

  it('is for the author of the comment, the author of the change request, and approvers', () => {
    expect(refusalOf(() => take(two, 'ben', true, noReviewer))).toBeUndefined()
    expect(refusalOf(() => take(two, 'ann', true, noReviewer))).toBeUndefined()
    expect(refusalOf(() => take(two, 'dora', true))).toBeUndefined()
    expect(refusalOf(() => take(two, 'dora', true, noReviewer))).toMatch(/^PermissionError/)
  })

  it.each(states)('%s: is rejected once it is closed', (state) => {
    const closed = ['Applied', 'Cancelled', 'Rejected'].includes(state)
    expect(refusalOf(() => take({ ...two, state }, 'ben', true)) !== undefined).toBe(closed)
  })
})
