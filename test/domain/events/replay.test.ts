import type { VoidedApproval } from '../../../src/domain/change-request'
import { approvalsAreKnown, type LifeEvent, type Replayed, replay } from '../../../src/domain/events/replay'
import { personOf } from '../support/change-requests'

/** A step of a change request: an event without `change-request-`, by a user, with a digest. */
type Step = readonly [event: string, userId?: number, digest?: string]

const events = (...steps: readonly Step[]): LifeEvent[] =>
  steps.map(([event, createdByUserId = 1, digest], index) => {
    const type = event.startsWith('change-') ? event : `change-request-${event}`
    const data = { changeRequestId: 7, ...(digest !== undefined && { digest }) }
    return { id: index + 1, type, createdByUserId, data }
  })

const replayed = (...steps: readonly Step[]) => events(...steps).reduce<Replayed | undefined>(replay, undefined)

const reviewed = [['created'], ['change-added'], ['sent-to-review'], ['approval-added', 2, 'sha256:a']] as const
const approved = [...reviewed, ['approved', 2]] as const

const shown = (...steps: readonly Step[]) => {
  const found = replayed(...steps)
  return found && [found.state, found.schedule, found.approvals.map(({ userId }) => userId), found.applied]
}

describe('replay(before, event)', () => {
  it.each<[string, readonly Step[], ReturnType<typeof shown>]>([
    ['a draft', [['created'], ['change-added'], ['change-edited']], ['Draft', null, [], 0]],
    ['a discarded draft', [['created'], ['change-added'], ['discarded']], [null, null, [], 0]],
    ['a review with one of two approvals', reviewed, ['In review', null, [2], 0]],
    ['an approved one', approved, ['Approved', null, [2], 0]],
    ['an approved one that was edited', [...approved, ['change-discarded']], ['In review', null, [], 0]],
    ['an approval that was taken back', [...approved, ['sent-to-review', 2]], ['In review', null, [2], 0]],
    ['a rejected one', [...reviewed, ['rejected', 3]], ['Rejected', null, [2], 0]],
    ['a cancelled one', [...approved, ['cancelled']], ['Cancelled', null, [2], 0]],
    ['a scheduled one', [...approved, ['scheduled', 3]], ['Scheduled', 'pending', [2], 0]],
    [
      'a suspended one',
      [...approved, ['scheduled'], ['schedule-suspended', -1337]],
      ['Scheduled', 'suspended', [2], 0],
    ],
    [
      'one that was scheduled again after a failure',
      [...approved, ['scheduled'], ['scheduled-application-failure'], ['scheduled']],
      ['Scheduled', 'pending', [2], 0],
    ],
    [
      'a suspended one with a further approval',
      [...approved, ['scheduled'], ['schedule-suspended'], ['approval-added', 3]],
      ['Scheduled', 'suspended', [2, 3], 0],
    ],
    ['a rebased schedule', [...approved, ['scheduled'], ['change-edited']], ['In review', null, [], 0]],
    [
      'a scheduled apply',
      [...approved, ['scheduled'], ['applied'], ['scheduled-application-success']],
      ['Applied', null, [2], 1],
    ],
    [
      'an acknowledged emergency',
      [['created'], ['change-added'], ['applied'], ['approval-added', 3]],
      ['Applied', null, [], 1],
    ],
    ['requested approvers', [...reviewed, ['requested-approvers-updated']], ['In review', null, [2], 0]],
    ['other events', [...reviewed, ['configuration-updated'], ['change-of-weather']], ['In review', null, [2], 0]],
  ])('%s', (_, steps, expected) => {
    expect(shown(...steps)).toEqual(expected)
    expect(replayed(...steps)?.unexpected).toBeNull()
  })

  it('returns what each approval is for; a later one of the same user replaces it', () => {
    const again = [...reviewed, ['approval-added', 3], ['approval-added', 2, 'sha256:b']] as const
    expect(replayed(...again)?.approvals).toEqual([
      { userId: 3, digest: null },
      { userId: 2, digest: 'sha256:b' },
    ])
  })

  it('says nothing about a change request whose first event is missing', () => {
    expect(replayed(...approved.slice(1), ['applied'])).toBeUndefined()
  })

  it('names the first event that does not fit, and goes on with the state before it', () => {
    const twice = replayed(...approved, ['applied'], ['applied'], ['cancelled'])
    expect(twice?.unexpected).toEqual({ id: 7, type: 'change-request-applied', state: 'Applied' })
    expect([twice?.state, twice?.applied]).toEqual(['Applied', 2])
    expect(replayed(['created'], ['approved'])?.unexpected?.state).toBe('Draft')
    expect(replayed(['created'], ['created'])?.unexpected?.state).toBe('Draft')
    expect(replayed(['created'], ['discarded'], ['change-added'])?.unexpected?.state).toBeNull()
  })
})

describe('approvalsAreKnown(changeRequest, replayed)', () => {
  const voided = (count: number) =>
    Array.from({ length: count }, (): VoidedApproval => {
      return { by: personOf('ben'), at: '2026-03-04T12:00:00.000Z', cause: 'edit', causedBy: personOf('ann') }
    })
  const known = (count: number, ...steps: readonly Step[]) =>
    approvalsAreKnown({ voidedApprovals: voided(count) }, replayed(...steps) as Replayed)

  it('is true while every removed approval has an event', () => {
    expect(approvalsAreKnown({}, replayed(...reviewed) as Replayed)).toBe(true)
    expect(known(1, ...reviewed, ['change-edited'])).toBe(true)
  })

  it('is false after a removal without an event, until an edit removes the others', () => {
    expect(known(1, ...reviewed)).toBe(false)
    expect(known(1, ...reviewed, ['change-edited'])).toBe(true)
    expect(known(2, ...reviewed, ['change-edited'], ['approval-added', 2])).toBe(false)
  })

  it('is false if voided approvals were dropped', () => {
    expect(known(50, ...reviewed)).toBe(false)
  })
})
