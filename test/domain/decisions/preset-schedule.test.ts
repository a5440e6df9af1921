import type { ChangeRequest, PresetSchedule } from '../../../src/domain/change-request'
import type { Predecessor } from '../../../src/domain/content/follow'
import { completeApply } from '../../../src/domain/decisions/apply'
import { addChanges, discardChange, editChange } from '../../../src/domain/decisions/changes'
import type { Decision } from '../../../src/domain/decisions/decision'
import { presetSchedule, withdrawPresetSchedule } from '../../../src/domain/decisions/preset-schedule'
import { rebase } from '../../../src/domain/decisions/rebase'
import { approve, cancel, reject } from '../../../src/domain/decisions/review'
import { schedule } from '../../../src/domain/decisions/schedule'
import type { PlacedFreeze } from '../../../src/domain/freezes/freeze'
import { endOf, hasSamePreset, pendingPreset } from '../../../src/domain/schedule/preset'
import type { PresetFacts } from '../../../src/domain/steps/facts'
import {
  by,
  change,
  changeRequest,
  facts,
  hash,
  later,
  type Name,
  noon,
  on,
  personOf,
  refusalOf,
  step,
  vote,
} from '../support/change-requests'

const scheduledAt = '2026-03-05T06:00:00.000Z'
const expiresAt = '2026-04-03T12:00:00.000Z'
const targets = { '1': 'sha256:one' }
const preset: PresetSchedule = { scheduledAt, by: { ...by('cleo').author, ip: null }, at: noon, expiresAt }
const atApproval: PresetSchedule = { ...preset, scheduledAt: null }
/** One approval is missing. */
const waiting = changeRequest({ approvals: [vote('ben')], presetSchedule: preset })
/** A predecessor that was applied before the last approval. */
const changed: Predecessor = {
  ...{ id: 12, inRow: 2, changedSince: [] },
  changeRequest: changeRequest({ id: 12, state: 'Applied', stateTimestamps: { Draft: noon, Applied: noon } }),
}
const approved = changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('dora')] })
const sale: PlacedFreeze = { name: 'Sale', reason: 'Sales', environment: 'production', from: noon }
const options = { presetsSchedules: true, scheduler: true, emergency: true } as const

const nothingMissing: PresetFacts = {
  ...{ digest: facts('dora').digest, rules: [], checks: [], approvers: undefined },
  ...{ invalidOnApply: [], foreignSegments: [], conflicts: [], overwrites: [], freezes: [], targets },
  ...{ personGone: false, predecessor: undefined },
}

/** The last approval, by Dora. */
function lastVote(current: ChangeRequest = waiting, more: Partial<PresetFacts> = {}, now = later): Decision {
  const given = { ...facts('dora', options), preset: { ...nothingMissing, ...more } }
  return approve(current, { ...step('dora'), now, facts: given })
}

const setPreset = (current: ChangeRequest, name: Name = 'cleo', more: object = {}) =>
  presetSchedule(current, {
    ...on(name),
    facts: { ...facts(name, options), targets },
    scheduledAt,
    expireAfterMs: 60_000,
    ...more,
  })

const types = ({ events }: Decision) => events.map(({ type }) => type)
const shown = ({ changeRequest: { state, schedule: planned } }: Decision) => [state, planned?.status, planned?.reason]

/** @see contract 25.2 */
describe('presetting a schedule', () => {
  it('stores the time, the user without the address, and the end, and writes no event', () => {
    const { changeRequest: stored, events } = setPreset(changeRequest())
    const presetSchedule = { ...preset, at: later, expiresAt: expect.any(String) }
    expect(stored).toEqual(changeRequest({ presetSchedule }))
    expect(Date.parse(stored.presetSchedule?.expiresAt ?? '') - Date.parse(later)).toBe(60_000)
    expect(events).toEqual([])
  })

  it('by the same user for the same time changes nothing while it is in force', () => {
    const { changeRequest: stored } = setPreset(changeRequest())
    const again = setPreset(stored)
    expect([again.changeRequest === stored, again.events]).toEqual([true, []])
    expect(setPreset(stored, 'dora').changeRequest.presetSchedule?.by.person).toEqual(personOf('dora'))
    expect(setPreset(stored, 'cleo', { scheduledAt: null }).changeRequest.presetSchedule?.scheduledAt).toBe(null)
    const now = stored.presetSchedule?.expiresAt ?? ''
    expect(setPreset(stored, 'cleo', { now }).changeRequest.presetSchedule?.at).toBe(now)
  })

  it('is stored while an Approved one lacks approvals', () => {
    const lacking = changeRequest({ state: 'Approved', approvals: [vote('ben')] })
    const conflicts = ['checkout: Feature has been archived']
    const decided = setPreset(lacking, 'cleo', { facts: { ...facts('cleo', options), targets, conflicts } })
    expect([shown(decided), decided.changeRequest.presetSchedule?.scheduledAt]).toEqual([
      ['Approved', undefined, undefined],
      scheduledAt,
    ])
  })

  it('is stored in review even if all requirements are met, because a rule was removed', () => {
    const { state, presetSchedule } = setPreset({ ...approved, state: 'In review' }).changeRequest
    expect([state, presetSchedule?.scheduledAt]).toEqual(['In review', scheduledAt])
  })

  it('schedules an Approved one immediately, as a user does', () => {
    const decided = setPreset(approved)
    const command = { ...step('cleo'), facts: { ...facts('cleo', options), targets }, scheduledAt }
    expect(decided).toEqual(schedule(approved, command))
    expect(setPreset(approved, 'cleo', { scheduledAt: null }).changeRequest.schedule?.scheduledAt).toBe(later)
  })

  it.each([
    ['invalidOnApply', [{ code: 'invalid', message: 'No.' }], 'BadDataError'],
    ['foreignSegments', [{ code: 'invalid', message: 'No.' }], 'BadDataError'],
    ['conflicts', ['No.'], 'ConflictError'],
    ['overwrites', ['No.'], 'ConflictError'],
  ])('is rejected for an Approved one with %s, but accepted in review', (fact, found, error) => {
    const given = { facts: { ...facts('cleo', options), targets, [fact]: found } }
    expect(refusalOf(() => setPreset(approved, 'cleo', given))).toMatch(new RegExp(`^${error}`))
    expect(refusalOf(() => setPreset(changeRequest(), 'cleo', given))).toBe(undefined)
  })

  it('is rejected for a time in a freeze; for the moment of the approval only by one that suspends', () => {
    const during = (time: string | null, scheduled: 'hold' | 'suspend', current: ChangeRequest) => {
      const given = { facts: { ...facts('cleo', options), targets, freezes: [{ ...sale, scheduled }] } }
      return refusalOf(() => setPreset(current, 'cleo', { ...given, scheduledAt: time }))?.slice(0, 25)
    }
    const frozen = 'ConflictError: The freeze'
    expect(during(scheduledAt, 'hold', changeRequest())).toBe(frozen)
    expect(during(scheduledAt, 'hold', approved)).toBe(frozen)
    expect(during(null, 'suspend', changeRequest())).toBe(undefined)
    expect(during(null, 'suspend', approved)).toBe(frozen)
    expect(during(null, 'hold', approved)).toBe(undefined)
  })

  it('is rejected without a scheduler, which need not have started', () => {
    const without = (given: object) => ({ facts: { ...facts('cleo', given), targets } })
    expect(refusalOf(() => setPreset(changeRequest(), 'cleo', without({ presetsSchedules: true })))).toBe(undefined)
    expect(refusalOf(() => setPreset(changeRequest(), 'cleo', without({ scheduler: true })))).toMatch(
      /^ConflictError: Scheduling is not available/,
    )
  })
})

describe('the last approval', () => {
  it('schedules in the name of the user who preset the schedule', () => {
    const decided = lastVote()
    expect(types(decided)).toEqual([
      'change-request-approval-added',
      'change-request-approved',
      'change-request-scheduled',
    ])
    expect(decided.events[2]).toMatchObject({
      createdBy: 'cleo@example.com',
      ip: null,
      data: { changeRequestId: 7, scheduledDate: scheduledAt, presetAt: noon },
    })
    expect(decided.changeRequest).toMatchObject({
      state: 'Scheduled',
      schedule: { scheduledAt, status: 'pending' },
      scheduling: { by: { person: personOf('cleo') }, targets },
      stateTimestamps: { Approved: later, Scheduled: later },
    })
    expect(decided.changeRequest.presetSchedule).toBe(undefined)
  })

  it('of an Approved one that lacked approvals writes no second change-request-approved', () => {
    const decided = lastVote({ ...waiting, state: 'Approved', presetSchedule: atApproval })
    expect(types(decided)).toEqual(['change-request-approval-added', 'change-request-scheduled'])
    expect(decided.changeRequest.schedule?.scheduledAt).toBe(later)
  })

  it('schedules nothing before all requirements are met', () => {
    const decided = lastVote({ ...waiting, approvals: [] })
    expect([types(decided), decided.changeRequest.presetSchedule]).toEqual([['change-request-approval-added'], preset])
  })

  it('is not stored without the facts about the preset schedule', () => {
    expect(() => approve(waiting, { ...step('dora'), facts: facts('dora', options) })).toThrow('were not gathered')
  })

  it('suspends it if the time has passed, but for the difference of clocks', () => {
    const passed = (seconds: number) => new Date(Date.parse(scheduledAt) + seconds * 1_000).toISOString()
    const message = 'The scheduled time passed before the change request was ready.'
    expect(shown(lastVote(waiting, {}, passed(60)))).toEqual(['Scheduled', 'pending', null])
    const late = lastVote(waiting, { conflicts: ['No.'] }, passed(61))
    expect(shown(late)).toEqual(['Scheduled', 'suspended', message])
    expect(types(late).slice(-2)).toEqual(['change-request-scheduled', 'change-request-schedule-suspended'])
    expect(late.changeRequest.schedule?.scheduledAt).toBe(scheduledAt)
  })

  it.each<Partial<PresetFacts>>([
    { conflicts: ['No.'] },
    { overwrites: ['No.'] },
    { invalidOnApply: [{ code: 'invalid', message: 'No.' }] },
    { foreignSegments: [{ code: 'invalid', message: 'No.' }] },
    { freezes: [{ ...sale, reason: 'No.', scheduled: 'suspend' }] },
  ])('suspends it with the sentences of what is missing: %j', (missing) => {
    expect(shown(lastVote(waiting, missing))).toEqual(['Scheduled', 'suspended', expect.stringContaining('No.')])
  })

  it('schedules it in a freeze that holds', () => {
    expect(shown(lastVote(waiting, { freezes: [sale] }))[1]).toBe('pending')
  })

  it('suspends it for a time at which the approvals have expired', () => {
    const expiry = { afterMs: 3_600_000, at: later }
    const current = { ...waiting, approvals: [{ ...vote('ben'), createdAt: later }] }
    const given = { ...facts('dora', options), expiry, preset: nothingMissing }
    const decided = approve(current, { ...step('dora'), facts: given })
    expect(shown(decided)).toEqual(['Scheduled', 'suspended', expect.stringContaining('Too few approvals count')])
  })

  const ci = { name: 'ci', required: true }
  const byCleo = { id: 1, by: personOf('cleo'), at: noon, text: 'Not yet.' }
  const sentences = ['The required check "ci" has no report for the current content.', 'cleo objected: Not yet.']
  const obstacles: readonly [string, Partial<PresetFacts>, string][] = [
    ['a conflict', { conflicts: ['No.'] }, later],
    ['an overwrite', { overwrites: ['No.'] }, later],
    ['the validator', { invalidOnApply: [{ code: 'invalid', message: 'No.' }] }, later],
    ['a foreign segment', { foreignSegments: [{ code: 'invalid', message: 'No.' }] }, later],
    ['a freeze', { freezes: [{ ...sale, reason: 'No.', scheduled: 'suspend' }] }, later],
    ['a predecessor that it cannot follow', { predecessor: { ...changed, changedSince: ['No.'] } }, later],
    ['a time that passed', {}, '2026-03-05T06:01:01.000Z'],
  ]

  describe.each([
    ['a missing check', true, false],
    ['an open objection', false, true],
    ['a missing check and an open objection', true, true],
  ])('with %s', (_, lacksCheck, isStopped) => {
    const current = {
      ...waiting,
      presetSchedule: { ...preset, after: 12 },
      ...(isStopped && { objections: [byCleo] }),
    }
    const checks = lacksCheck ? [ci] : []
    const awaited = sentences.filter((_, index) => [lacksCheck, isStopped][index])

    it.each<[string, Partial<PresetFacts>]>([
      ['nothing else', {}],
      ['a freeze that holds', { freezes: [sale] }],
      ['a user who is gone', { personGone: true }],
    ])('and %s keeps the preset schedule', (_, more) => {
      const decided = lastVote(current, { checks, ...more })
      expect([shown(decided)[0], decided.changeRequest.presetSchedule]).toEqual(['Approved', current.presetSchedule])
    })

    it('and without approvals keeps the preset schedule, whatever else is missing', () => {
      const decided = lastVote({ ...current, approvals: [] }, { checks, conflicts: ['No.'] })
      expect([shown(decided)[0], decided.changeRequest.presetSchedule]).toEqual(['In review', current.presetSchedule])
    })

    it.each(obstacles)('and %s suspends it, with the sentences of what is missing', (_, more, now) => {
      const [state, status, reason] = shown(lastVote(current, { checks, ...more }, now))
      expect([state, status]).toEqual(['Scheduled', 'suspended'])
      if (now !== later) expect(reason).toBe('The scheduled time passed before the change request was ready.')
      else for (const sentence of ['No.', ...awaited]) expect(reason).toContain(sentence)
    })

    it('and a time at which the approvals have expired suspends it', () => {
      const expiry = { afterMs: 3_600_000, at: later }
      const given = { ...facts('dora', options), expiry, preset: { ...nothingMissing, checks } }
      const expiring = { ...current, approvals: [{ ...vote('ben'), createdAt: later }] }
      const decided = approve(expiring, { ...step('dora'), facts: given })
      expect(shown(decided).slice(0, 2)).toEqual(['Scheduled', 'suspended'])
    })
  })

  it('ends it if the user no longer exists', () => {
    const decided = lastVote(waiting, { personGone: true })
    expect(types(decided)).toEqual(['change-request-approval-added', 'change-request-approved'])
    const withdrawn = { by: null, at: later, cause: 'person-gone' }
    expect(decided.changeRequest.presetSchedule).toEqual({ ...preset, withdrawn })
  })

  it('does not put an expired or a withdrawn one into effect', () => {
    expect(lastVote({ ...waiting, presetSchedule: { ...preset, expiresAt: later } }).changeRequest.state).toBe(
      'Approved',
    )
    const withdrawn = { by: personOf('ann'), at: noon, cause: 'user' } as const
    const ended = { ...waiting, presetSchedule: { ...preset, withdrawn } }
    expect(lastVote(ended).changeRequest).toMatchObject({ state: 'Approved', presetSchedule: { withdrawn } })
  })
})

describe('the end of a preset schedule', () => {
  const limits = { changes: 500, bytes: 10_000, targetsBytes: 10_000 }
  const adding = { ...on('ann'), changes: [change(3)], changeIds: [3], author: by('ann').author, limits, hash }
  const editing = { ...on('ann'), changeId: 1, change: change(3), newId: 3, limits, hash }
  const takes = { named: new Map(), others: null }
  const rebasing = { ...on('ann'), takes, hash, limits, changeIds: [3, 4] }
  const ends: readonly [string, Name, string, () => Decision][] = [
    ['a withdrawal', 'ben', 'user', () => withdrawPresetSchedule(waiting, on('ben'))],
    ['adding a change', 'ann', 'edit', () => addChanges(waiting, adding)],
    ['editing a change', 'ann', 'edit', () => editChange(waiting, editing)],
    ['discarding a change', 'ann', 'edit', () => discardChange(waiting, on('ann'), 1)],
    ['a rebase', 'ann', 'rebase', () => rebase(waiting, rebasing)],
    ['a rejection', 'dora', 'closed', () => reject(waiting, step('dora'))],
    ['a cancellation', 'ann', 'closed', () => cancel(waiting, step('ann'))],
  ]

  it.each(ends)('%s: by %s, with the cause %s', (_, name, cause, end) => {
    const { changeRequest: ended, events } = end()
    expect(ended.presetSchedule).toEqual({ ...preset, withdrawn: { by: personOf(name), at: later, cause } })
    expect(events.length > 0).toBe(cause !== 'user')
  })

  it('a withdrawal changes nothing if none is in force', () => {
    const expired = { ...waiting, presetSchedule: { ...preset, expiresAt: later } }
    for (const one of [changeRequest(), expired]) expect(withdrawPresetSchedule(one, on('ann')).changeRequest).toBe(one)
  })

  it('is forgotten after a manual schedule and after an apply', () => {
    const current = { ...approved, presetSchedule: preset }
    const command = { ...step('ben'), facts: { ...facts('ben', options), targets }, scheduledAt }
    expect(schedule(current, command).changeRequest).not.toHaveProperty('presetSchedule')
    const applied = completeApply(current, { ...step('ben'), scheduled: true }, [], undefined)
    expect(applied.changeRequest).not.toHaveProperty('presetSchedule')
  })

  it('is stored, or the time from which it has no effect', () => {
    const withdrawn = { by: personOf('ann'), at: noon, cause: 'user' } as const
    expect(endOf({ ...preset, withdrawn }, expiresAt)).toBe(withdrawn)
    expect(endOf(preset, expiresAt)).toEqual({ by: null, at: expiresAt, cause: 'expired' })
    expect([endOf(preset, later), pendingPreset(waiting, later), pendingPreset(waiting, expiresAt)]).toEqual([
      null,
      preset,
      undefined,
    ])
  })
})

describe('hasSamePreset(before, after)', () => {
  const { presetSchedule: _, ...without } = waiting
  const withdrawn = { by: personOf('ann'), at: noon, cause: 'user' } as const
  const of = (presetSchedule: PresetSchedule) => ({ ...waiting, presetSchedule })

  it.each<[string, ChangeRequest, ChangeRequest, boolean]>([
    ['none', without, without, true],
    ['the same', waiting, of({ ...preset }), true],
    ['set', without, waiting, false],
    ['set again by another user', waiting, of({ ...preset, by: by('dora').author }), false],
    ['set again for another time', waiting, of(atApproval), false],
    ['set again later', waiting, of({ ...preset, at: later }), false],
    ['withdrawn', waiting, of({ ...preset, withdrawn }), false],
    ['put into effect', waiting, { ...without, state: 'Scheduled' }, true],
    ['gone', waiting, without, false],
  ])('%s', (_title, before, after, same) => {
    expect(hasSamePreset(before, after)).toBe(same)
  })
})
