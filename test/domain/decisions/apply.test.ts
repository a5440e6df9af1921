import { abandonApply, beginApply, completeApply } from '../../../src/domain/decisions/apply'
import { requireStepWithComment } from '../../../src/domain/decisions/discussion'
import { changeRequestEvent } from '../../../src/domain/events/events'
import { by, changeRequest, flags, later, noon, on, refusalOf, step, vote } from '../support/change-requests'

const votes = [vote('ben'), vote('cleo')]
const approved = changeRequest({ state: 'Approved', approvals: votes })
const command = (comment: string | null = null) => step('ben', comment)
const applying = { applyId: 'apply-1', startedAt: noon, digest: 'sha256:0', by: by('ben').author }

describe('requireStepWithComment(apply, changeRequest, command)', () => {
  it.each([
    ['Draft', votes, 'ConflictError: A change request in the state Draft cannot become Applied.'],
    ['In review', votes, 'ConflictError: A change request in the state In review cannot become Applied.'],
    ['In review', [vote('ben')], 'ConflictError: The change request has 1 of 2 approvals.'],
    ['Approved', votes, undefined],
    ['Approved', [vote('ben')], 'ConflictError: The change request has 1 of 2 approvals.'],
    ['Scheduled', votes, undefined],
    ['Scheduled', [], 'ConflictError: The change request has 0 of 2 approvals.'],
    ['Applied', votes, 'ConflictError: The change request is already Applied.'],
    ['Cancelled', votes, 'ConflictError: A change request in the state Cancelled cannot become Applied.'],
    ['Rejected', [], 'ConflictError: A change request in the state Rejected cannot become Applied.'],
  ] as const)('%s with %j: %s', (state, approvals, refusal) => {
    expect(refusalOf(() => requireStepWithComment('apply', changeRequest({ state, approvals }), command()))).toBe(
      refusal,
    )
  })

  it('needs new approvals if the existing ones were given for other content', () => {
    const approvals = [vote('ben'), vote('cleo', 'sha256:other')]
    expect(refusalOf(() => requireStepWithComment('apply', { ...approved, approvals }, command()))).toBe(
      'ConflictError: The approved changes no longer match what would be applied. ' +
        '1 of 2 approvals are still valid; approve again.',
    )
  })
})

describe('an apply by a gateway without a shared transaction', () => {
  it('is stored before it starts, without an event', () => {
    const { changeRequest: begun, events } = beginApply(approved, 'apply-1', {
      by: by('ben'),
      now: noon,
      comment: null,
      digest: 'sha256:0',
    })
    expect([begun, events]).toEqual([{ ...approved, applying }, []])
  })

  it('that failed leaves no trace and no event', () => {
    const { changeRequest: abandoned, events } = abandonApply({ ...approved, applying })
    expect([abandoned, events]).toEqual([{ ...approved, applying: null }, []])
  })
})

describe('completeApply(changeRequest, command, flagEvents, before)', () => {
  it('stores the state, the comment and the snapshots, and ends the schedule', () => {
    const schedule = { scheduledAt: noon, status: 'pending', reason: null } as const
    const scheduled = { ...approved, state: 'Scheduled' as const, schedule, applying }
    const { changeRequest: applied } = completeApply(scheduled, command('done'), [], flags({ enabled: true }))
    expect(applied).toEqual({
      ...approved,
      state: 'Applied',
      applying: null,
      schedule: null,
      changes: approved.changes.map((one) => ({ ...one, snapshot: { enabled: true } })),
      comments: [{ id: 1, text: 'done', createdBy: by('ben').author.person, createdAt: later }],
      finalComments: 1,
      ended: { by: by('ben').author.person, commentId: 1 },
      stateTimestamps: { Draft: noon, Applied: later },
    })
  })

  it('puts the events of the flags first', () => {
    const flagEvent = { ...changeRequestEvent('feature-archived', approved, on('ben')), groupId: 'group' }
    const { events } = completeApply(approved, command(), [flagEvent], undefined)
    expect(events).toEqual([flagEvent, changeRequestEvent('change-request-applied', approved, on('ben'))])
  })
})
