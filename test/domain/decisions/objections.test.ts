import type { ChangeRequest, Objection, PresetSchedule } from '../../../src/domain/change-request'
import { notToReview } from '../../../src/domain/content/grouping'
import { openObjections, reviewersOfCopy, withObjection } from '../../../src/domain/content/objections'
import { beginApply, completeApply } from '../../../src/domain/decisions/apply'
import { emergencyOf } from '../../../src/domain/decisions/apply-trace'
import { createChangeRequest, discardChange } from '../../../src/domain/decisions/changes'
import type { Decision } from '../../../src/domain/decisions/decision'
import { dismissObjection, liftObjection, object, takeBackApproval } from '../../../src/domain/decisions/objections'
import { presetSchedule } from '../../../src/domain/decisions/preset-schedule'
import { approve, cancel, reject } from '../../../src/domain/decisions/review'
import { obstacleTo } from '../../../src/domain/schedule/obstacles'
import { type PresetFacts, wellFormedCall } from '../../../src/domain/steps/facts'
import { missingFor, type Step } from '../../../src/domain/steps/steps'
import { voidsVotes } from '../../../src/domain/steps/votes'
import {
  by,
  change,
  changeRequest,
  commentOf,
  digest,
  facts,
  type GatheredFacts,
  hash,
  later,
  type Name,
  noon,
  personOf,
  refusalOf,
  step,
  vote,
} from '../support/change-requests'

const text = 'The load test fails.'
const reason = 'The load test passes now.'
const options = { presetsSchedules: true, scheduler: true } as const
const scheduled = { scheduledAt: later, status: 'pending', reason: null } as const
const preset: PresetSchedule = {
  ...{ scheduledAt: null, by: by('cleo').author, at: noon, expiresAt: '2026-04-03T12:00:00.000Z' },
}
const nothingMissing: PresetFacts = {
  ...{ digest, rules: [], checks: [], approvers: undefined, targets: {}, personGone: false, predecessor: undefined },
  ...{ invalidOnApply: [], foreignSegments: [], conflicts: [], overwrites: [], freezes: [] },
}

const objection = (id: number, name: Name, more: Partial<Objection> = {}): Objection => ({
  ...{ id, by: personOf(name), at: noon, text },
  ...more,
})
const approved = (more: Partial<ChangeRequest> = {}) =>
  changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')], ...more })
const objectedBy = (...names: Name[]): Pick<ChangeRequest, 'objections'> => ({
  objections: names.map((name, index) => objection(index + 1, name)),
})
const commandOf = (name: Name, given: Partial<GatheredFacts> = {}) => ({
  ...step(name),
  facts: { ...facts(name, options), ...given },
})
const objects = (current: ChangeRequest, name: Name = 'ben', sent = text, given: Partial<GatheredFacts> = {}) =>
  object(current, { ...commandOf(name, given), text: sent })
const unseen = { ...facts('ben').revision, isSeen: false }
const types = ({ events }: Decision) => events.map(({ type }) => type)
const endings = ({ objections = [] }: ChangeRequest) => objections.map(({ by, ended }) => [by.username, ended?.how])
const codes = (taken: Step, current: ChangeRequest, name: Name, given: Partial<GatheredFacts> = {}) =>
  missingFor(taken, current, { ...facts(name, { ...options, emergency: true }), ...given }, wellFormedCall).map(
    ({ code }) => code,
  )

/** @see extensions 17 */
describe('an objection', () => {
  it.each<[string, ChangeRequest, unknown[]]>([
    ['in review', changeRequest({ approvals: [vote('ben')] }), ['In review', 0, null, []]],
    ['without a vote, approved', approved(), ['Approved', 2, null, []]],
    ['scheduled', approved({ state: 'Scheduled', schedule: scheduled }), ['Scheduled', 2, 'suspended', ['suspended']]],
  ])('is stored, and blocks: %s', (_, current, expected) => {
    const name = current.approvals.length === 1 ? 'ben' : 'dora'
    const decided = objects(current, name)
    const { state, approvals, schedule } = decided.changeRequest
    const short = types(decided).map((type) => type.replace('change-request-schedule-', ''))
    expect([state, approvals.length, schedule?.status ?? null, short]).toEqual(expected)
    expect(decided.changeRequest.objections).toEqual([{ id: 1, by: personOf(name), at: later, text }])
    expect(codes('apply', { ...decided.changeRequest, approvals: [vote('cleo'), vote('dora')] }, 'ann')).toContain(
      'objection',
    )
  })

  it('takes the vote of the user, and sends what then lacks approvals to review', () => {
    const decided = objects(approved())
    const { state, approvals, voidedApprovals, stateTimestamps } = decided.changeRequest
    expect([state, approvals, stateTimestamps['In review']]).toEqual(['In review', [vote('cleo')], later])
    const { createdBy: _, ...voted } = vote('ben')
    expect(voidedApprovals).toEqual([
      { by: personOf('ben'), at: later, cause: 'objected', causedBy: personOf('ben'), vote: voted },
    ])
    expect(decided.events.map(({ type, createdByUserId, data }) => [type, createdByUserId, data])).toEqual([
      ['change-request-sent-to-review', 2, { changeRequestId: 7, takenBack: true }],
    ])
    const enough = approved({ approvals: [vote('ben'), vote('cleo'), vote('dora')] })
    expect(objects(enough).changeRequest.state).toBe('Approved')
    // Nothing is taken from the approvals, which were too few before.
    expect(objects(approved({ approvals: [vote('cleo')] }), 'dora').changeRequest.state).toBe('Approved')
  })

  it('suspends only a pending schedule, with a reason', () => {
    const inState = (status: 'pending' | 'failed' | 'suspended') =>
      objects(approved({ state: 'Scheduled', schedule: { ...scheduled, status, reason: 'Before.' } }), 'dora')
    expect(inState('pending').changeRequest.schedule?.reason).toBe('A reviewer objected.')
    for (const status of ['failed', 'suspended'] as const) {
      expect([inState(status).changeRequest.schedule, types(inState(status))]).toEqual([
        { ...scheduled, status, reason: 'Before.' },
        [],
      ])
    }
  })

  it('is stored while it is being applied, and leaves state and schedule as they are', () => {
    const command = { ...step('ann'), digest }
    const busy = beginApply(approved({ state: 'Scheduled', schedule: scheduled }), 'apply-1', command).changeRequest
    const decided = objects(busy)
    const { state, schedule, applying, approvals } = decided.changeRequest
    expect([state, schedule, applying, approvals.length]).toEqual(['Scheduled', scheduled, busy.applying, 1])
    expect(decided.events).toEqual([])
    for (const [other, name] of [['liftObjection', 'ben'] as const, ['dismissObjection', 'dora'] as const]) {
      expect(codes(other, decided.changeRequest, name)).toEqual(['being-applied'])
    }
    expect(codes('takeBackApproval', decided.changeRequest, 'cleo')).toEqual(['being-applied'])
    const { objections } = completeApply(decided.changeRequest, command, [], undefined).changeRequest
    expect(objections?.[0]?.ended).toEqual({ how: 'applied', by: personOf('ann'), at: later })
  })

  it('replaces the open one of the user, unless text and content are the same', () => {
    const first = objects(changeRequest()).changeRequest
    expect(objects(first)).toEqual({ changeRequest: first, events: [] })
    expect(objects(first).changeRequest).toBe(first)
    const other = objects(first, 'ben', 'It still fails.').changeRequest
    expect(endings(other)).toEqual([
      ['ben', 'replaced'],
      ['ben', undefined],
    ])
    expect(other.objections?.map(({ id }) => id)).toEqual([1, 2])
    expect(endings(objects(first, 'ben', text, { revision: unseen }).changeRequest)).toHaveLength(2)
    expect(endings(objects(first, 'cleo').changeRequest)).toEqual([
      ['ben', undefined],
      ['cleo', undefined],
    ])
  })

  it('is outdated if it is to other content, and after an edit', () => {
    const outdated = objects(changeRequest(), 'ben', text, { revision: unseen }).changeRequest
    expect(outdated.objections?.[0]?.outdated).toBe(true)
    const current = changeRequest({
      objections: [objection(1, 'ben', { ended: ended('lifted') }), objection(2, 'cleo')],
    })
    const edited = discardChange(current, commandOf('ann'), 1).changeRequest
    expect(edited.objections?.map((one) => one.outdated)).toEqual([undefined, true])
    expect(openObjections(edited)).toHaveLength(1)
    // Who objected to other content is to review the new one.
    expect([notToReview(current), notToReview(edited)]).toEqual([[3], []])
  })

  it('adds its whole text as a comment that is final, where there is room for it', () => {
    const { comments, finalComments } = objects(changeRequest({ comments: [commentOf(1, 'ann')] })).changeRequest
    expect([comments.at(-1), finalComments]).toEqual([{ id: 2, text, createdBy: personOf('ben'), createdAt: later }, 2])
    const command = { ...commandOf('ben'), text, commentLimits: { comments: 10, bytes: 10, bytesWithSteps: 15 } }
    expect(object(changeRequest(), command).changeRequest.comments).toEqual([])
  })

  it('has at most 20 kB of text together with the other open ones, and as much after it ended', () => {
    const long = 'ä'.repeat(6_000)
    const first = objects(changeRequest(), 'ben', long).changeRequest
    const second = objects(first, 'cleo', long).changeRequest
    const third = objects(second, 'dora', long).changeRequest
    const bytes = (of: readonly Objection[] = []) => of.reduce((sum, one) => sum + Buffer.byteLength(one.text), 0)
    expect(third.objections?.map((one) => one.text.length)).toEqual([6_000, expect.any(Number), 0])
    expect(bytes(third.objections)).toBeLessThanOrEqual(20_000)
    expect(bytes(third.objections)).toBeGreaterThan(19_990)
    let current = changeRequest()
    for (let round = 0; round < 60; round += 1) {
      current = withObjection(current, {
        by: personOf('ben'),
        at: new Date(Date.parse(noon) + round).toISOString(),
        text: `${round} ${long}`,
      })
    }
    expect(current.objections?.filter((one) => one.ended !== undefined)).toHaveLength(50)
    expect(bytes(current.objections)).toBeLessThanOrEqual(40_000)
    expect(current.objections?.at(-1)?.id).toBe(60)
    const last = liftObjection(current, commandOf('ben')).changeRequest
    expect(last.objections?.at(-1)?.text).toBe(`59 ${long}`)
  })

  it('never has the id of an earlier one, also if that has no room any more', () => {
    const others = Array.from({ length: 51 }, (_, index) => objection(index + 2, 'cleo', { ended: ended('lifted') }))
    const newest = objection(53, 'cleo', { ended: { ...ended('lifted'), at: noon } })
    const current = changeRequest({ objections: [objection(1, 'ben'), ...others, newest] })
    const { objections } = liftObjection(current, commandOf('ben')).changeRequest
    expect(objections).toHaveLength(51)
    expect(objections?.at(-1)).toEqual({ ...newest, text: '' })
    expect(objects(changeRequest({ objections: objections ?? [] })).changeRequest.objections?.at(-1)?.id).toBe(54)
  })

  it.each<[string, Partial<GatheredFacts>, string[]]>([
    ['by an author', {}, []],
    ['without the permission', { approvesSomewhere: false }, ['missing-permission']],
    ['without a user id', { userId: null }, ['no-user-id']],
    ['by a machine', { callerKind: 'agent' }, ['not-for-machines']],
  ])('%s', (_, given, expected) => {
    expect(codes('object', approved(), 'ann', given)).toEqual(expected)
  })
})

const ended = (how: NonNullable<Objection['ended']>['how'], more: object = {}) => ({
  ...{ how, by: personOf('ben'), at: later },
  ...more,
})

describe('an open objection blocks', () => {
  const blocked = approved(objectedBy('dora', 'cleo'))

  it('applying and scheduling, with one entry each', () => {
    const long = approved({ objections: [objection(1, 'dora', { text: 'é'.repeat(300) }), objection(2, 'cleo')] })
    const found = missingFor('apply', long, facts('ann'), wellFormedCall)
    expect(found).toEqual([
      { code: 'objection', message: `dora objected: ${'é'.repeat(200)}` },
      { code: 'objection', message: `cleo objected: ${text}` },
    ])
    expect(codes('schedule', blocked, 'ann')).toEqual(['objection', 'objection'])
    const unnamed = approved({
      objections: [objection(1, 'dora', { by: { ...personOf('dora'), username: null }, text: '' })],
    })
    expect(missingFor('apply', unnamed, facts('ann'), wellFormedCall)[0]?.message).toBe('A user objected.')
  })

  it('no step before that', () => {
    for (const [taken, name] of [
      ['edit', 'ann'] as const,
      ['presetSchedule', 'ann'] as const,
      ['cancel', 'ann'] as const,
    ]) {
      expect([taken, codes(taken, blocked, name)]).toEqual([taken, []])
    }
    expect(codes('approve', changeRequest(objectedBy('cleo')), 'dora')).toEqual([])
    expect(voidsVotes(changeRequest(objectedBy('cleo')))).toBe(true)
    expect(voidsVotes(changeRequest({ objections: [objection(1, 'cleo', { ended: ended('lifted') })] }))).toBe(false)
  })

  it('a run, which suspends', () => {
    const due = { ...approved(objectedBy('dora')), state: 'Scheduled', schedule: scheduled } as const
    expect(obstacleTo(due, facts('ann'))).toEqual({ status: 'suspended', reason: `dora objected: ${text}` })
  })

  it('no emergency, which names it', () => {
    expect(codes('applyInEmergency', blocked, 'ann')).toEqual([])
    const missing = [
      { code: 'objection', name: 'dora', by: { id: 4, username: 'dora' }, at: noon },
      { code: 'objection', name: 'cleo', by: { id: 3, username: 'cleo' }, at: noon },
    ]
    const emergency = emergencyOf(blocked, 'It burns.', facts('ann'), later)
    expect(emergency).toEqual({ reason: 'It burns.', missing })
    const during = objects(beginApply(blocked, 'a', { ...step('ann'), digest }).changeRequest).changeRequest
    const done = completeApply(during, { ...step('ann'), ...(emergency && { trace: { emergency } }) }, [], undefined)
    expect(endings(done.changeRequest)).toEqual([
      ['dora', 'emergency'],
      ['cleo', 'emergency'],
      ['ben', 'applied'],
    ])
    expect(done.events.at(-1)?.data).toMatchObject({
      emergency: { missing },
      objections: [{ by: { id: 4 } }, { by: { id: 3 } }, { by: { id: 2 }, how: 'applied' }],
    })
  })
})

describe('an objection ends', () => {
  const blocked = approved({ approvals: [vote('cleo'), vote('dora')], ...objectedBy('ben') })

  it('lifted by the user who objected', () => {
    const decided = liftObjection(blocked, commandOf('ben'))
    expect(decided.changeRequest.objections?.[0]?.ended).toEqual(ended('lifted'))
    expect(decided.events).toEqual([])
    expect(codes('liftObjection', blocked, 'cleo')).toEqual(['wrong-state'])
    expect(codes('liftObjection', decided.changeRequest, 'ben')).toEqual(['wrong-state'])
    expect(codes('liftObjection', blocked, 'ben', { callerKind: 'service' })).toEqual(['not-for-machines'])
  })

  it('dismissed by an ADMIN who is no author', () => {
    const dismiss = (current: ChangeRequest, name: Name, objectionId = 1, given: Partial<GatheredFacts> = {}) =>
      dismissObjection(current, { ...commandOf(name, given), objectionId, reason })
    const decided = dismiss(blocked, 'dora')
    expect(decided.changeRequest.objections?.[0]?.ended).toEqual({
      ...ended('dismissed', { by: personOf('dora') }),
      reason,
    })
    const refused = (...given: Parameters<typeof dismiss>) => refusalOf(() => dismiss(...given))
    expect(refused(blocked, 'cleo')).toContain('PermissionError')
    expect(refused(blocked, 'dora', 2)).toContain('NotFoundError')
    expect(refused(decided.changeRequest, 'dora')).toBe('ConflictError: The objection has already ended.')
    expect(refused(approved(objectedBy('dora')), 'dora')).toContain('This is your own objection.')
    const self = { ADMIN: true, options: facts('ann', { adminSelfApproval: true }).options }
    expect(refused(blocked, 'ann', 1, self)).toContain('OperationDeniedError')
    expect(codes('dismissObjection', blocked, 'dora')).toEqual([])
    expect(codes('dismissObjection', approved(objectedBy('dora')), 'dora')).toEqual(['wrong-state'])
    expect(codes('dismissObjection', blocked, 'dora', { callerKind: 'agent' })).toEqual(['not-for-machines'])
  })

  it.each([
    changeRequest(objectedBy('ben')),
    blocked,
    { ...blocked, state: 'Scheduled', schedule: { ...scheduled, status: 'suspended', reason: 'x' } } as const,
  ])('by the approval of the user who objected, which must name a revision', (current) => {
    const decided = approve(current, commandOf('ben'))
    expect(endings(decided.changeRequest)).toEqual([['ben', 'approved']])
    expect(decided.changeRequest.approvals.at(-1)?.createdBy.id).toBe(2)
    expect([types(decided), decided.changeRequest.schedule]).toEqual([
      ['change-request-approval-added'],
      current.schedule,
    ])
    const revision = { ...facts('ben').revision, isStated: false }
    expect(codes('approve', current, 'ben', { revision })).toEqual(['revision-required'])
    expect(codes('approve', changeRequest(objectedBy('ben')), 'cleo', { revision })).toEqual([])
  })

  it.each([
    ['closed', 'change-request-rejected', () => reject(changeRequest(objectedBy('ben')), commandOf('dora'))],
    ['closed', 'change-request-cancelled', () => cancel(blocked, commandOf('ann'))],
  ])('%s with %s, whose event names them all', (how, type, decide) => {
    const { changeRequest: after, events } = decide()
    expect(endings(after)).toEqual([['ben', how]])
    const endedBy = after.objections?.[0]?.ended?.by
    expect(events.find((one) => one.type === type)?.data).toEqual({
      changeRequestId: 7,
      objections: [
        {
          ...{ by: { id: 2, username: 'ben' }, at: noon, how, endedAt: later },
          endedBy: { id: endedBy?.id, username: endedBy?.username },
        },
      ],
    })
  })
})

describe('the end of the last objection', () => {
  const waiting = approved({ presetSchedule: preset, approvals: [vote('cleo'), vote('dora')], ...objectedBy('ben') })
  const lift = (current: ChangeRequest, more: Partial<PresetFacts> = {}, given: Partial<GatheredFacts> = {}) =>
    liftObjection(current, commandOf('ben', { preset: { ...nothingMissing, ...more }, ...given }))

  it('puts a preset schedule into effect, in the name of the user who set it', () => {
    const decided = lift(waiting)
    expect(types(decided)).toEqual(['change-request-scheduled'])
    expect([decided.events[0]?.createdByUserId, decided.changeRequest.state]).toEqual([3, 'Scheduled'])
    const byAdmin = { ...commandOf('dora', { preset: nothingMissing }), objectionId: 1, reason }
    expect(types(dismissObjection(waiting, byAdmin))).toEqual(['change-request-scheduled'])
    const byVote = approve(waiting, commandOf('ben', { preset: nothingMissing }))
    expect(types(byVote)).toEqual(['change-request-approval-added', 'change-request-scheduled'])
  })

  it('suspends what can no longer be met, and ends a schedule whose user is gone', () => {
    expect(lift(waiting, { conflicts: ['No.'] }).changeRequest.schedule?.status).toBe('suspended')
    const gone = lift(waiting, { personGone: true }).changeRequest
    expect([gone.state, gone.presetSchedule?.withdrawn?.cause]).toEqual(['Approved', 'person-gone'])
  })

  it.each<[string, ChangeRequest, Partial<PresetFacts>]>([
    ['another one is open', { ...waiting, ...objectedBy('ben', 'dora') }, {}],
    ['it is in review', { ...waiting, state: 'In review' }, {}],
    ['approvals are missing', waiting, { digest: 'sha256:other' }],
    ['there is no schedule', approved(objectedBy('ben')), {}],
  ])('schedules nothing if %s', (_, current, more) => {
    const decided = lift(current, more)
    expect([decided.events, decided.changeRequest.state]).toEqual([[], current.state])
    expect(decided.changeRequest.presetSchedule).toEqual(current.presetSchedule)
  })

  it('needs no facts about a schedule that was set meanwhile if it schedules nothing', () => {
    const current = { ...waiting, state: 'In review' } as const
    expect(lift(current, {}, { preset: undefined }).changeRequest.presetSchedule).toEqual(preset)
  })

  it('keeps a schedule that the last approval finds, and that is set, while one is open', () => {
    const last = changeRequest({ presetSchedule: preset, approvals: [vote('cleo')], ...objectedBy('ben') })
    const voted = approve(last, commandOf('dora', { preset: { ...nothingMissing, personGone: true } }))
    expect([voted.changeRequest.state, voted.changeRequest.presetSchedule]).toEqual(['Approved', preset])
    const set = presetSchedule(approved(objectedBy('dora')), {
      ...commandOf('ann'),
      scheduledAt: null,
      expireAfterMs: 1_000,
    })
    expect([set.changeRequest.state, set.changeRequest.presetSchedule?.scheduledAt]).toEqual(['Approved', null])
  })

  it('sees the schedule of its arrival, and states the revision where that is required', () => {
    const required = facts('ben', { ...options, requireRevision: true }).options
    const { revision } = facts('ben')
    const unstated = { options: required, revision: { ...revision, isStated: false, hasPreset: true } }
    expect(codes('liftObjection', waiting, 'ben', unstated)).toEqual(['revision-required'])
    expect(codes('liftObjection', { ...waiting, ...objectedBy('ben', 'dora') }, 'ben', unstated)).toEqual([])
    const withoutPreset = { ...unstated, revision: { ...unstated.revision, hasPreset: false } }
    expect(codes('liftObjection', waiting, 'ben', withoutPreset)).toEqual([])
    const changed = { revision: { ...revision, isSeen: false } }
    for (const current of [waiting, { ...waiting, ...objectedBy('ben', 'dora') }]) {
      expect(codes('liftObjection', current, 'ben', changed)).toEqual(['outdated-revision'])
    }
    expect(codes('liftObjection', { ...waiting, state: 'In review' }, 'ben', changed)).toEqual([])
    expect(codes('liftObjection', waiting, 'cleo', changed)).toEqual(['wrong-state'])
    const other = { revision: { ...changed.revision, matches: false } }
    expect(codes('liftObjection', waiting, 'ben', other)).toEqual(['outdated-revision'])
    const dismissal = { ...wellFormedCall, objectionId: 1 }
    const given = { ...facts('dora', options), ...changed }
    expect(missingFor('dismissObjection', waiting, given, dismissal)[0]?.code).toBe('outdated-revision')
    for (const taken of ['object', 'takeBackApproval'] as const) {
      expect(codes(taken, waiting, 'cleo', unstated)).toEqual([])
    }
  })
})

describe('an approval that is taken back', () => {
  const takeBack = (current: ChangeRequest, name: Name = 'ben') => takeBackApproval(current, commandOf(name))

  it('is removed, whether it counts now or not', () => {
    const decided = takeBack(changeRequest({ approvals: [vote('ben', 'sha256:old'), vote('cleo')] }))
    expect(decided.changeRequest.approvals).toEqual([vote('cleo')])
    expect(decided.changeRequest.voidedApprovals).toMatchObject([{ by: personOf('ben'), cause: 'taken-back' }])
    expect(decided.events).toEqual([])
    expect(refusalOf(() => takeBack(decided.changeRequest))).toContain('ConflictError: You have no approval')
    expect(codes('takeBackApproval', approved(), 'ben', { callerKind: 'agent' })).toEqual(['not-for-machines'])
  })

  it('sends to review what then has too few, and suspends a pending schedule', () => {
    const back = takeBack(approved())
    expect([back.changeRequest.state, back.events[0]?.data]).toEqual([
      'In review',
      { changeRequestId: 7, takenBack: true },
    ])
    const due = takeBack(approved({ state: 'Scheduled', schedule: scheduled }))
    expect([due.changeRequest.state, due.changeRequest.schedule]).toEqual([
      'Scheduled',
      { ...scheduled, status: 'suspended', reason: 'An approval was taken back.' },
    ])
    const three = [vote('ben'), vote('cleo'), vote('dora')]
    expect(takeBack(approved({ approvals: three })).changeRequest.state).toBe('Approved')
    const stillDue = takeBack(approved({ state: 'Scheduled', schedule: scheduled, approvals: three }))
    expect([stillDue.changeRequest.schedule, stillDue.events]).toEqual([scheduled, []])
    const stopped = { ...scheduled, status: 'failed', reason: 'conflicts' } as const
    expect(takeBack(approved({ state: 'Scheduled', schedule: stopped })).changeRequest.schedule).toEqual(stopped)
  })

  it('is in the event that closes the change request', () => {
    const back = takeBack(approved()).changeRequest
    expect(cancel(back, commandOf('ann')).events[0]?.data).toEqual({
      changeRequestId: 7,
      takenBack: [{ by: { id: 2, username: 'ben' }, approvedAt: noon, at: later }],
    })
  })
})

describe('a copy', () => {
  it('asks at most 10 of the users whose objections the end of the original closed', () => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      ...objection(index + 1, 'ben', { by: { ...personOf('ben'), id: index + 1 }, ended: ended('closed') }),
    }))
    const original = { objections: [objection(20, 'dora', { ended: ended('lifted') }), ...many] }
    const requestedApprovers = reviewersOfCopy(original, personOf('ann'))
    expect(requestedApprovers).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    const fresh = { ...{ id: 8, project: 'shop', environment: 'production', copies: 7 }, requestedApprovers }
    const given = { facts: facts('ann'), author: by('ann').author, now: later, hash }
    const limits = { changes: 10, bytes: 10_000, targetsBytes: 10_000 }
    const copy = createChangeRequest(fresh, { ...given, changes: [change(1)], changeIds: [9], limits }, { copies: 7 })
    expect(copy.changeRequest).toMatchObject({ requestedApprovers, copies: 7 })
    expect(copy.events.at(-1)).toMatchObject({
      type: 'change-request-requested-approvers-updated',
      data: { reviewers: requestedApprovers },
      preData: { changeRequestId: 8, reviewers: [] },
    })
  })
})
