import type {
  MeView,
  PresetScheduleView,
  RequirementView,
  ReviewView,
  RuleMode,
  StepCode,
} from '../../../src/generated'
import * as times from '../../../src/page/app/core/tools/times'
import {
  approvalWords,
  approveLabel,
  pendingPreset,
  presetsSchedules,
} from '../../../src/page/app/screens/request/review'

const now = Date.parse('2026-11-20T10:00:00.000Z')
const later = '2026-11-20T11:00:00.000Z'
const me: MeView = { id: 2, username: 'Ben', imageUrl: null, groups: ['payments'], kind: 'person', onBehalfOf: null }
const minimum = { name: 'minimum', environment: null, approvals: 2, given: 1, from: null } as RequirementView
const freeze = { name: 'Sale', reason: 'Sales', from: later, until: null, when: null, scheduled: 'hold' } as const

interface Situation {
  readonly scheduledAt?: string
  readonly withdrawn?: PresetScheduleView['withdrawn']
  readonly requirements?: readonly RequirementView[]
  readonly missing?: StepCode
  readonly freezes?: readonly ('hold' | 'suspend')[]
  /** Of the freezes. */
  readonly mode?: RuleMode
}

function reviewOf({
  scheduledAt,
  withdrawn = null,
  requirements = [minimum],
  missing,
  freezes = [],
  mode = 'enforce',
}: Situation) {
  const by = { id: 3, username: 'Cara', imageUrl: null }
  const code = missing === undefined ? [] : [{ code: missing, message: '' }]
  return {
    presetSchedule: scheduledAt === undefined ? null : { scheduledAt, after: null, by, at: later, withdrawn },
    requirements,
    checks: [],
    freezes: { now: freezes.map((scheduled) => ({ ...freeze, scheduled, mode })), scheduled: [] },
    steps: [{ step: 'apply', allowed: false, offered: true, missing: code }],
  } as unknown as ReviewView
}

const onTime = `on ${times.dayAndTime(later)}`
const withdrawn = { by: null, at: later, cause: 'expired' } as const
const rule = (from: RequirementView['from']): RequirementView => ({
  ...minimum,
  name: 'owners',
  approvals: 1,
  given: 0,
  from,
})

describe('the effect of an approval', () => {
  it.each<[string, Situation, string, string]>([
    ['without a schedule', {}, 'Approve', 'Approving applies nothing.'],
    ['after its end', { scheduledAt: later, withdrawn }, 'Approve', 'Approving applies nothing.'],
    ['immediately', { scheduledAt: 'approval' }, 'Approve and apply', 'Your approval applies this immediately.'],
    ['at a time', { scheduledAt: later }, `Approve and apply ${onTime}`, `Your approval applies this ${onTime}.`],
    [
      'with another approval missing',
      { scheduledAt: later, requirements: [{ ...minimum, given: 0 }] },
      'Approve',
      `Together with the missing approvals, yours applies this ${onTime}.`,
    ],
    [
      'a conflict',
      { scheduledAt: later, missing: 'conflict' },
      'Approve',
      'In the current state, the last approval suspends the schedule.',
    ],
    [
      'after its time',
      { scheduledAt: '2026-11-20T09:00:00.000Z' },
      'Approve',
      'In the current state, the last approval suspends the schedule.',
    ],
    [
      'in a freeze that holds',
      { scheduledAt: 'approval', freezes: ['hold'] },
      'Approve',
      'Your approval applies this after the freeze.',
    ],
    [
      'in a freeze that suspends',
      { scheduledAt: 'approval', freezes: ['hold', 'suspend'] },
      'Approve',
      'In the current state, the last approval suspends the schedule.',
    ],
    [
      'with freezes and a rule on trial',
      {
        ...{ scheduledAt: 'approval', freezes: ['hold', 'suspend'], mode: 'trial' },
        requirements: [minimum, { ...minimum, name: 'owners', given: 0, mode: 'trial' }],
      },
      'Approve and apply',
      'Your approval applies this immediately.',
    ],
    [
      'at a time after the current freeze',
      { scheduledAt: later, freezes: ['suspend'] },
      `Approve and apply ${onTime}`,
      `Your approval applies this ${onTime}.`,
    ],
  ])('%s', (_, situation, button, sentence) => {
    const review = reviewOf(situation)
    expect([approveLabel(review, me, now), approvalWords(review, me, now)]).toEqual([button, sentence])
  })

  it.each<[RequirementView['from'], boolean]>([
    [null, true],
    [{ groups: ['payments'], users: [] }, true],
    [{ groups: [], users: [2] }, true],
    [{ groups: ['search'], users: [3] }, false],
  ])('depends on the users whose approvals count: %j', (from, isLast) => {
    const review = reviewOf({ scheduledAt: 'approval', requirements: [minimum, rule(from)] })
    expect(approveLabel(review, me, now)).toBe(isLast ? 'Approve and apply' : 'Approve')
  })
})

it('is pending until it has ended', () => {
  expect(pendingPreset(reviewOf({ scheduledAt: later }))?.scheduledAt).toBe(later)
  expect(pendingPreset(reviewOf({ scheduledAt: later, withdrawn }))).toBe(undefined)
  expect(pendingPreset(reviewOf({}))).toBe(undefined)
})

it.each([
  [false, true, true],
  [true, true, false],
  [false, false, false],
])('with schedule %p and presetSchedule %p waits for approvals: %p', (schedule, presetSchedule, expected) => {
  const steps = Object.entries({ schedule, presetSchedule }).map(([step, allowed]) => ({ step, allowed }))
  expect(presetsSchedules({ steps } as ReviewView)).toBe(expected)
})
