import type { ChangeRequest } from '../../../src/domain/change-request'
import { addChanges, discardChange, discardDraft, editChange } from '../../../src/domain/decisions/changes'
import type { Decision } from '../../../src/domain/decisions/decision'
import { comment, rename, requestApprovers, requireStepWithComment } from '../../../src/domain/decisions/discussion'
import { approve, cancel, reject, submit } from '../../../src/domain/decisions/review'
import type { State } from '../../../src/domain/lifecycle'
import { ChangeRequestError } from '../../../src/errors'
import { states } from '../../../src/generated/lists'
import {
  by,
  change,
  changeRequest,
  digest,
  facts,
  hash,
  later,
  type Name,
  noon,
  on,
  personOf,
  step,
  vote,
} from '../support/change-requests'

const limits = { changes: 500, bytes: 10_000, targetsBytes: 10_000 }

interface Properties {
  readonly digest?: string
  readonly adminSelfApproval?: boolean
  readonly requiredApprovals?: number
  readonly comment?: string
}

function as(name: Name, properties: Properties = {}) {
  const { digest: given = digest, adminSelfApproval = false, requiredApprovals = 1, comment: text = null } = properties
  return { ...step(name, text), facts: { ...facts(name, { adminSelfApproval }), digest: given, requiredApprovals } }
}

const proposal = { ...on('ann'), changes: [change(3)], changeIds: [3], author: by('ann').author, limits, hash }
const editing = (name: Name) => ({ ...on(name), changeId: 1, change: change(3), newId: 3, limits, hash })

const types = ({ events }: Decision) => events.map(({ type }) => type)

/** The name of the error, or the resulting state. */
function outcome(decide: () => Decision): string {
  try {
    return decide().changeRequest.state
  } catch (error) {
    if (ChangeRequestError.is(error)) return error.name
    throw error
  }
}

/** User -> the resulting state, or the error. */
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
  it('counts users up to the minimum, with an event for each vote and one for the last', () => {
    const first = approve(changeRequest(), as('ben'))
    expect([first.changeRequest.state, types(first)]).toEqual(['In review', ['change-request-approval-added']])
    const second = approve(first.changeRequest, as('cleo'))
    expect([second.changeRequest.state, types(second)]).toEqual([
      'Approved',
      ['change-request-approval-added', 'change-request-approved'],
    ])
    expect(second.changeRequest.stateTimestamps.Approved).toBe(later)
  })

  it('binds the vote and its event to the digest of the approved content', () => {
    const { changeRequest: voted, events } = approve(changeRequest(), as('ben', { digest: 'sha256:x' }))
    const bound = { createdBy: personOf('ben'), createdAt: later, digest: 'sha256:x' }
    expect(voted.approvals).toEqual([bound])
    expect(events[0]?.data).toEqual({ changeRequestId: 7, digest: 'sha256:x' })
  })

  it('rejects the vote of a contributor who added or edited one of its changes', () => {
    const helped = changeRequest({ changes: [change(1), change(2, { createdBy: personOf('cleo') })] })
    expect(outcome(() => approve(helped, as('cleo')))).toBe('OperationDeniedError')
    expect(outcome(() => reject(helped, as('cleo')))).toBe('OperationDeniedError')
    expect(outcome(() => approve(helped, as('ben')))).toBe('In review')
  })

  it.each([
    { who: 'the author, no admin', name: 'ann', properties: {}, came: 'OperationDeniedError' },
    {
      who: 'the author, an admin',
      name: 'dora',
      properties: { createdBy: personOf('dora'), changes: [change(1, { createdBy: personOf('dora') })] },
      came: 'In review',
    },
    {
      who: 'a contributor, an admin',
      name: 'dora',
      properties: { changes: [change(1, { createdBy: personOf('dora') })] },
      came: 'In review',
    },
  ] as const)('with adminSelfApproval, $who: $came', ({ name, properties, came }) => {
    const own = changeRequest(properties)
    expect(outcome(() => approve(own, as(name, { adminSelfApproval: true })))).toBe(came)
    expect(outcome(() => approve(own, as(name)))).toBe('OperationDeniedError')
    if (came === 'In review') {
      const { events } = approve(own, as(name, { adminSelfApproval: true }))
      expect(events[0]?.data).toMatchObject({ selfApproval: true })
    }
  })

  it.each(states.filter((state) => state !== 'In review'))('is rejected while it is %s', (state) => {
    const approvals = [vote('cleo'), vote('dora')]
    expect(() => approve(changeRequest({ state, approvals }), as('ben'))).toThrow(
      state === 'Approved' ? 'is already Approved' : `in the state ${state} cannot become Approved`,
    )
  })
})

describe('approve, when the implied changes differ from the approved ones', () => {
  const stale = changeRequest({ state: 'Approved', approvals: [vote('ben', 'sha256:old'), vote('cleo', 'sha256:old')] })

  it('counts only votes for the current content, each user once, and is not approved a second time', () => {
    const first = approve(stale, as('ben'))
    expect(first.changeRequest.approvals).toMatchObject([
      vote('cleo', 'sha256:old'),
      { ...vote('ben'), createdAt: later },
    ])
    expect([first.changeRequest.state, types(first)]).toEqual(['Approved', ['change-request-approval-added']])
    expect(() => requireStepWithComment('apply', first.changeRequest, as('ben'))).toThrow(
      '1 of 2 approvals are still valid',
    )

    const second = approve(first.changeRequest, as('dora'))
    expect(types(second)).toEqual(['change-request-approval-added'])
    expect(() => requireStepWithComment('apply', second.changeRequest, as('ben'))).not.toThrow()
    expect(outcome(() => approve(second.changeRequest, as('cleo')))).toBe('ConflictError')
  })

  it('accepts one vote for the same digest from each user', () => {
    const { changeRequest: once } = approve(stale, as('ben'))
    expect(() => approve(once, as('ben'))).toThrow('You have already approved this change request')
  })

  it('in review, allows a rejection by a user who approved other content', () => {
    const inReview = { ...stale, state: 'In review' } as const
    expect(outcome(() => reject(inReview, as('ben')))).toBe('Rejected')
    expect(outcome(() => reject(inReview, as('ben', { digest: 'sha256:old' })))).toBe('ConflictError')
  })
})

/** A missing permission is reported before the apply that is in progress. */
describe('while a flag gateway applies it', () => {
  const applying = { applyId: 'a', startedAt: noon, digest: 'sha256:0', by: by('ben').author }
  const busy = changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')], applying })

  it.each<[string, (name: Name) => Decision, Name | undefined]>([
    ['add a change', () => addChanges(busy, proposal), undefined],
    ['edit a change', (name) => edit(busy, name), 'ben'],
    ['discard a change', (name) => discard(busy, name), 'ben'],
    ['discard the draft', (name) => discardAll(busy, name), 'ben'],
    ['submit', (name) => submit(busy, as(name)), 'ben'],
    ['approve', () => approve(busy, as('dora')), undefined],
    ['reject', () => reject(busy, as('dora')), undefined],
    ['cancel', (name) => cancel(busy, as(name)), 'ben'],
    ['rename', (name) => rename(busy, details(name), 'Sale'), 'ben'],
    ['request approvers', (name) => request(busy, name), 'ben'],
    ['comment', (name) => say(busy, name), undefined],
  ])('to %s is a conflict that names the apply, and how to end it', (_, decide, stranger) => {
    expect(() => decide('ann')).toThrow(/being applied \(started at 2026-03-04T12:00:00.000Z by ben.*settle/)
    if (stranger !== undefined) expect(outcome(() => decide(stranger))).toBe('OperationDeniedError')
  })

  it('to apply is a conflict', () => {
    expect(() => requireStepWithComment('apply', busy, as('ben'))).toThrow('being applied')
  })
})

describe('any edit of the changes after the review', () => {
  const reviewed = changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')] })
  const half = changeRequest({ approvals: [vote('ben')] })

  it.each([
    { what: 'adding one', decide: (c: ChangeRequest) => addChanges(c, proposal), event: 'change-added' },
    { what: 'editing one', decide: (c: ChangeRequest) => edit(c, 'ann'), event: 'change-edited' },
    { what: 'discarding one', decide: (c: ChangeRequest) => discard(c, 'ann'), event: 'change-discarded' },
  ])('$what removes all approvals in the same decision, with one event', ({ decide, event }) => {
    for (const before of [reviewed, half]) {
      const decision = decide(before)
      expect([decision.changeRequest.state, decision.changeRequest.approvals]).toEqual(['In review', []])
      expect(types(decision)).toEqual([event])
    }
  })

  it('lets the same user approve again', () => {
    expect(outcome(() => approve(edit(reviewed, 'ann').changeRequest, as('ben')))).toBe('In review')
  })

  it('does not include title, comments and requested approvers: the votes stay', () => {
    for (const decision of [rename(half, details('ann'), 'Sale'), say(half, 'ben'), request(half, 'ann')]) {
      expect([decision.changeRequest.state, decision.changeRequest.approvals]).toEqual(['In review', [vote('ben')]])
    }
  })

  it.each(['In review', 'Approved'] as const)('cannot discard the last one while it is %s', (state) => {
    const one = changeRequest({ state, changes: [change(1)] })
    expect(outcome(() => discard(one, 'ann'))).toBe('ConflictError')
    expect(outcome(() => discard({ ...one, state: 'Draft' }, 'ann'))).toBe('Draft')
  })
})

describe('submit', () => {
  it.each([
    { copied: 1, setting: 3, needed: 3 },
    { copied: 3, setting: 1, needed: 3 },
    { copied: 2, setting: 2, needed: 2 },
  ])(
    'with a minimum of $copied at creation and $setting now, needs $needed approvals',
    ({ copied, setting, needed }) => {
      const draft = changeRequest({ state: 'Draft', minApprovals: copied })
      const { changeRequest: sent } = submit(draft, as('ann', { requiredApprovals: setting, comment: 'please' }))
      expect([sent.state, sent.minApprovals, sent.comments.length]).toEqual(['In review', needed, 1])
    },
  )
})

function denied() {
  return 'OperationDeniedError'
}

function refused() {
  return 'ConflictError'
}

function details(name: Name, anyone = false) {
  return { ...on(name), facts: facts(name, { detailsByAnyone: anyone }) }
}

function edit(current: ChangeRequest, name: Name): Decision {
  return editChange(current, editing(name))
}

function say(current: ChangeRequest, name: Name): Decision {
  return comment(current, { ...step(name, 'why?'), changeId: null })
}

function discard(current: ChangeRequest, name: Name): Decision {
  return discardChange(current, on(name), 1)
}

function discardAll(current: ChangeRequest, name: Name): Decision {
  return discardDraft(current, on(name))
}

function request(current: ChangeRequest, name: Name): Decision {
  return requestApprovers(current, details(name), [2])
}
