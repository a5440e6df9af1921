import { completeApply, requireApplicable } from '../../src/domain/application'
import type { Change, ChangeRequest, Vote } from '../../src/domain/change-request'
import { addChanges, discardChange, discardDraft, editChange } from '../../src/domain/changes'
import type { Decision, Reviewer } from '../../src/domain/decision'
import { nextState, type State, states, steps } from '../../src/domain/lifecycle'
import { approve, type Circumstances, cancel, reject, submit } from '../../src/domain/review'
import { comment, rename, requestApprovers } from '../../src/domain/talk'
import { ChangeRequestError } from '../../src/errors'

const noon = '2026-03-04T12:00:00.000Z'
const later = '2026-03-04T12:05:00.000Z'
const asReviewed = 'sha256:reviewed'

const people = { ann: 1, ben: 2, cleo: 3, dora: 4 } as const
type Name = keyof typeof people

const personOf = (name: Name) => ({ id: people[name], username: name, imageUrl: null })

/** Dora is the admin. */
function by(name: Name): Reviewer {
  return { author: { person: personOf(name), signature: name, ip: null }, admin: name === 'dora' }
}

function change(id: number, name: Name = 'ann'): Change {
  const payload = { enabled: true }
  return { id, action: 'updateEnabled', feature: 'checkout', payload, createdBy: personOf(name), createdAt: noon }
}

function vote(name: Name, digest = asReviewed): Vote {
  return { createdBy: personOf(name), createdAt: noon, digest }
}

/** A change request of Ann with changes 1 and 2, in review unless told otherwise. */
function changeRequest(properties: Partial<ChangeRequest> = {}): ChangeRequest {
  return {
    id: 7,
    project: 'shop',
    environment: 'production',
    title: null,
    state: 'In review',
    minApprovals: 2,
    changes: [change(1), change(2)],
    approvals: [],
    rejections: [],
    comments: [],
    requestedApprovers: [],
    createdBy: personOf('ann'),
    createdAt: noon,
    stateTimestamps: { Draft: noon },
    schedule: null,
    ...properties,
  }
}

function as(name: Name, properties: Partial<Circumstances> = {}): Circumstances {
  return { by: by(name), now: later, comment: null, digest: asReviewed, adminSelfApproval: false, ...properties }
}

const proposal = { changes: [change(3)], changeIds: [3], author: by('ann').author, now: later, maxChanges: 500 }
const editing = (name: Name, changeId = 1) => ({ by: by(name), now: later, changeId })

const types = ({ events }: Decision) => events.map(({ type }) => type)

/** The name of what was thrown, or the state that it came to. */
function outcome(decide: () => Decision): string {
  try {
    return decide().changeRequest.state
  } catch (error) {
    if (ChangeRequestError.is(error)) return error.name
    throw error
  }
}

describe('the states and steps of a change request', () => {
  it.each(
    `
              | change    | submit    | approve  | reject   | schedule  | apply   | cancel
    Draft     | Draft     | In review | -        | -        | -         | -       | Cancelled
    In review | In review | -         | Approved | Rejected | -         | -       | Cancelled
    Approved  | In review | -         | -        | -        | Scheduled | Applied | Cancelled
    Scheduled | -         | -         | -        | Rejected | Scheduled | Applied | -
    Applied   | -         | -         | -        | -        | -         | -       | -
    Cancelled | -         | -         | -        | -        | -         | -       | -
    Rejected  | -         | -         | -        | -        | -         | -       | -
  `
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('|').map((cell) => cell.trim())),
  )('%s', (state = '', ...cells) => {
    expect(steps.map((step) => nextState(state as State, step) ?? '-')).toEqual(cells)
  })

  it('are all there', () => {
    expect(states).toHaveLength(7)
    expect(steps).toEqual(['change', 'submit', 'approve', 'reject', 'schedule', 'apply', 'cancel'])
  })
})

/** Who does it -> the state that comes of it, or who refuses. */
describe.each(
  (
    [
      ['submit', 'Draft', (c, name) => submit(c, as(name)), ['In review', denied(), denied(), denied()]],
      ['approve', 'In review', (c, name) => approve(c, as(name)), [denied(), 'In review', 'In review', 'In review']],
      ['reject', 'In review', (c, name) => reject(c, as(name)), [denied(), 'Rejected', 'Rejected', 'Rejected']],
      ['cancel', 'In review', (c, name) => cancel(c, as(name)), ['Cancelled', denied(), denied(), 'Cancelled']],
      ['cancel', 'Approved', (c, name) => cancel(c, as(name)), ['Cancelled', denied(), denied(), 'Cancelled']],
      ['cancel', 'Scheduled', (c, name) => cancel(c, as(name)), [refused(), denied(), denied(), refused()]],
      ['reject', 'Approved', (c, name) => reject(c, as(name)), [denied(), refused(), refused(), refused()]],
      ['reject', 'Scheduled', (c, name) => reject(c, as(name)), Array(4).fill('Rejected')],
      ['edit a change', 'Approved', edit, ['In review', denied(), denied(), denied()]],
      ['edit a change', 'Scheduled', edit, [refused(), denied(), denied(), denied()]],
      ['edit a change', 'Applied', edit, [refused(), denied(), denied(), denied()]],
      ['discard a change', 'Approved', discard, ['In review', denied(), denied(), denied()]],
      ['discard the draft', 'Draft', discardAll, ['Draft', denied(), denied(), denied()]],
      ['discard the draft', 'In review', discardAll, [refused(), denied(), denied(), denied()]],
      [
        'rename',
        'Approved',
        (c, name) => rename(c, details(name), 'Sale'),
        ['Approved', denied(), denied(), 'Approved'],
      ],
      ['rename', 'Rejected', (c, name) => rename(c, details(name), 'Sale'), [refused(), denied(), denied(), refused()]],
      ['request approvers', 'In review', request, ['In review', denied(), denied(), 'In review']],
      ['request approvers', 'Approved', request, [refused(), denied(), denied(), refused()]],
      ['rename with anyone', 'Approved', (c, n) => rename(c, details(n, true), 'Sale'), Array(4).fill('Approved')],
      ['rename with anyone', 'Applied', (c, n) => rename(c, details(n, true), 'Sale'), Array(4).fill(refused())],
      ['request with anyone', 'Draft', (c, n) => requestApprovers(c, details(n, true), [2]), Array(4).fill('Draft')],
      [
        'request with anyone',
        'Approved',
        (c, n) => requestApprovers(c, details(n, true), [2]),
        Array(4).fill(refused()),
      ],
      ['comment', 'Rejected', (c, name) => comment(c, on(name), 'why?'), Array(4).fill('Rejected')],
    ] satisfies [string, State, (current: ChangeRequest, name: Name) => Decision, string[]][]
  ).map(([what, state, decide, wanted]) => ({ what, state, decide, wanted })),
)('to $what while it is $state', ({ state, decide, wanted }) => {
  it.each((['ann', 'ben', 'cleo', 'dora'] as const).map((name, index) => ({ name, came: wanted[index] })))(
    '$name: $came',
    ({ name, came }) => {
      expect(outcome(() => decide(changeRequest({ state }), name))).toBe(came)
    },
  )
})

describe('approve', () => {
  it('counts people up to the minimum, and tells of each vote and of the last', () => {
    const first = approve(changeRequest(), as('ben'))
    expect([first.changeRequest.state, types(first)]).toEqual(['In review', ['change-request-approval-added']])
    const second = approve(first.changeRequest, as('cleo'))
    expect([second.changeRequest.state, types(second)]).toEqual([
      'Approved',
      ['change-request-approval-added', 'change-request-approved'],
    ])
    expect(second.changeRequest.stateTimestamps.Approved).toBe(later)
  })

  it('binds the vote, and the event of it, to the digest of what was approved', () => {
    const { changeRequest: voted, events } = approve(changeRequest(), as('ben', { digest: 'sha256:x' }))
    expect(voted.approvals).toEqual([{ createdBy: personOf('ben'), createdAt: later, digest: 'sha256:x' }])
    expect(events[0]?.data).toEqual({ changeRequestId: 7, digest: 'sha256:x' })
  })

  it('is refused to whoever added or edited any of its changes, though it is not their own', () => {
    const helped = changeRequest({ changes: [change(1), change(2, 'cleo')] })
    expect(outcome(() => approve(helped, as('cleo')))).toBe('OperationDeniedError')
    expect(outcome(() => reject(helped, as('cleo')))).toBe('OperationDeniedError')
    expect(outcome(() => approve(helped, as('ben')))).toBe('In review')
  })

  it('is refused to the author, though all of its changes are of somebody else', () => {
    expect(outcome(() => approve(changeRequest({ changes: [change(1, 'cleo')] }), as('ann')))).toBe(
      'OperationDeniedError',
    )
  })

  it.each([
    { who: 'the author, no admin', name: 'ann', properties: {}, came: 'OperationDeniedError' },
    {
      who: 'the author, an admin',
      name: 'dora',
      properties: { createdBy: personOf('dora'), changes: [change(1, 'dora')] },
      came: 'In review',
    },
    { who: 'a contributor, an admin', name: 'dora', properties: { changes: [change(1, 'dora')] }, came: 'In review' },
  ] as const)('with adminSelfApproval, $who: $came', ({ name, properties, came }) => {
    const own = changeRequest(properties)
    expect(outcome(() => approve(own, as(name, { adminSelfApproval: true })))).toBe(came)
    expect(outcome(() => approve(own, as(name)))).toBe('OperationDeniedError')
    if (came === 'In review') {
      const { events } = approve(own, as(name, { adminSelfApproval: true }))
      expect(events[0]?.data).toMatchObject({ selfApproval: true })
    }
  })

  it('is refused twice, and so is a rejection by whoever approved', () => {
    const voted = changeRequest({ minApprovals: 3, approvals: [vote('ben')] })
    expect(outcome(() => approve(voted, as('ben')))).toBe('ConflictError')
    expect(outcome(() => reject(voted, as('ben')))).toBe('ConflictError')
    expect(outcome(() => reject(voted, as('cleo')))).toBe('Rejected')
  })

  it.each(states.filter((state) => state !== 'In review'))('is refused while it is %s', (state) => {
    expect(() => approve(changeRequest({ state }), as('ben'))).toThrow(
      state === 'Approved' ? 'is Approved already' : `in the state ${state} cannot become Approved`,
    )
  })
})

describe('any change of the changes after the review', () => {
  const reviewed = changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')] })
  const half = changeRequest({ approvals: [vote('ben')] })

  it.each([
    { what: 'adding one', decide: (c: ChangeRequest) => addChanges(c, proposal), event: 'change-added' },
    { what: 'editing one', decide: (c: ChangeRequest) => edit(c, 'ann'), event: 'change-edited' },
    { what: 'discarding one', decide: (c: ChangeRequest) => discard(c, 'ann'), event: 'change-discarded' },
  ])('$what voids all approvals in the same decision, and tells of nothing but itself', ({ decide, event }) => {
    for (const before of [reviewed, half]) {
      const decision = decide(before)
      expect([decision.changeRequest.state, decision.changeRequest.approvals]).toEqual(['In review', []])
      expect(types(decision)).toEqual([event])
    }
  })

  it('lets the same person approve again', () => {
    expect(outcome(() => approve(edit(reviewed, 'ann').changeRequest, as('ben')))).toBe('In review')
  })

  it('leaves neither title nor comments nor requested approvers without the votes', () => {
    for (const decision of [
      rename(half, details('ann'), 'Sale'),
      comment(half, on('ben'), 'why?'),
      request(half, 'ann'),
    ]) {
      expect([decision.changeRequest.state, decision.changeRequest.approvals]).toEqual(['In review', [vote('ben')]])
    }
  })

  it.each(['In review', 'Approved'] as const)('cannot take the last one while it is %s', (state) => {
    const one = changeRequest({ state, changes: [change(1)] })
    expect(outcome(() => discard(one, 'ann'))).toBe('ConflictError')
    expect(outcome(() => discard({ ...one, state: 'Draft' }, 'ann'))).toBe('Draft')
  })
})

describe('submit', () => {
  it('is refused without a change', () => {
    const empty = changeRequest({ state: 'Draft', changes: [] })
    expect(() => submit(empty, as('ann'))).toThrow('There is nothing to review')
  })

  it('approves what needs no approval', () => {
    const free = changeRequest({ state: 'Draft', minApprovals: 0 })
    const { changeRequest: sent, events } = submit(free, as('ann', { comment: 'please' }))
    expect([sent.state, sent.comments.length]).toEqual(['Approved', 1])
    expect(events.map(({ type }) => type)).toEqual(['change-request-sent-to-review', 'change-request-approved'])
  })
})

describe('apply', () => {
  const both = [vote('ben'), vote('cleo')]

  it.each([
    { what: 'enough approvals of exactly this', properties: {}, refusal: undefined },
    { what: 'one approval of two', properties: { approvals: [vote('ben')] }, refusal: '1 of 2 approvals' },
    {
      what: 'approvals of other changes',
      properties: { approvals: [vote('ben'), vote('cleo', 'sha256:other')] },
      refusal: 'not those that were approved',
    },
    { what: 'the state In review', properties: { state: 'In review', approvals: [] }, refusal: '0 of 2 approvals' },
    { what: 'the state Draft', properties: { state: 'Draft' }, refusal: 'Draft cannot become Applied' },
    { what: 'the state Applied', properties: { state: 'Applied' }, refusal: 'is Applied already' },
    { what: 'the state Rejected', properties: { state: 'Rejected' }, refusal: 'Rejected cannot become Applied' },
  ] as const)('with $what', ({ properties, refusal }) => {
    const current = changeRequest({ state: 'Approved', approvals: both, ...properties })
    const applicable = () => requireApplicable(current, { digest: asReviewed })
    if (refusal === undefined) expect(applicable).not.toThrow()
    else expect(applicable).toThrow(refusal)
  })

  it('tells of the flags first, then of itself, and ends every intent and schedule', () => {
    const current = changeRequest({
      state: 'Approved',
      approvals: both,
      applying: { applyId: 'a', startedAt: noon, by: by('ben').author },
    })
    const { by: who, ...rest } = as('ben', { comment: 'done' })
    const flag = approve(changeRequest(), as('cleo')).events[0]
    const { changeRequest: applied, events } = completeApply(
      current,
      { by: who, ...rest },
      flag ? [flag] : [],
      undefined,
    )
    expect([applied.state, applied.applying, applied.schedule, applied.comments.length]).toEqual([
      'Applied',
      null,
      null,
      1,
    ])
    expect(events.map(({ type }) => type)).toEqual(['change-request-approval-added', 'change-request-applied'])
  })
})

function denied() {
  return 'OperationDeniedError'
}

function refused() {
  return 'ConflictError'
}

function on(name: Name) {
  return { by: by(name), now: later }
}

function details(name: Name, anyone = false) {
  return { ...on(name), anyone }
}

function edit(current: ChangeRequest, name: Name): Decision {
  return editChange(current, editing(name), change(3), 3)
}

function discard(current: ChangeRequest, name: Name): Decision {
  return discardChange(current, editing(name))
}

function discardAll(current: ChangeRequest, name: Name): Decision {
  return discardDraft(current, on(name))
}

function request(current: ChangeRequest, name: Name): Decision {
  return requestApprovers(current, details(name), [2])
}
