import { abandonApply, beginApply, completeApply } from '../../../src/domain/decisions/apply'
import { changeRequestEvent } from '../../../src/domain/events/events'
import { by, changeRequest, flags, later, noon, on, step, vote } from '../support/change-requests'

const votes = [vote('ben'), vote('cleo')]
const approved = changeRequest({ state: 'Approved', approvals: votes })
const command = (comment: string | null = null) => step('ben', comment)
const applying = { applyId: 'apply-1', startedAt: noon, digest: 'sha256:0', by: by('ben').author }

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
