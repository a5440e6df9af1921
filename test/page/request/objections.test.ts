import type { CheckView, MeView, ObjectionView, RequirementView, ReviewView, StepName } from '../../../src/generated'
import {
  appliesWords,
  approvalWords,
  approveLabel,
  endsLastObstacle,
  mayObject,
  openObjections,
  ownObjection,
  presetWords,
} from '../../../src/page/app/screens/request/review'
import { endingWords, hasObjected, objectingWords, takeBackWords } from '../../../src/page/app/words/objections'
import { textOf } from '../../../src/page/app/words/spans'
import { unloggedSteps } from '../../../src/page/app/words/unlogged-steps'

const ben: MeView = { id: 2, username: 'Ben', imageUrl: null, groups: [], kind: 'person', onBehalfOf: null }
const person = (id: number, username: string | null) => ({ id, username, imageUrl: null })
const at = '2026-11-20T10:00:00.000Z'
const later = '2026-11-20T11:00:00.000Z'
const minimum = { name: 'minimum', environment: null, approvals: 1, given: 1, from: null } as RequirementView

const check = { name: 'ci', required: true, status: null } as CheckView

type How = NonNullable<ObjectionView['ended']>['how']

function objection(id: number, by: number, how?: How): ObjectionView {
  const reason = how === 'dismissed' ? 'The load test passes.' : null
  const ended = how === undefined ? null : { how, by: person(3, 'Cara'), at: later, reason }
  return { id, person: person(by, by === 2 ? 'Ben' : null), at, text: 'Not today.', outdated: false, ended }
}

interface Situation extends Partial<Pick<ReviewView, 'state' | 'objections' | 'voidedApprovals' | 'checks'>> {
  readonly allowed?: readonly StepName[]
  readonly requirements?: readonly RequirementView[]
  readonly preset?: string
  readonly approvals?: number
  readonly schedule?: 'pending' | 'suspended'
}

function reviewOf({ allowed = [], requirements = [minimum], preset, approvals = 1, schedule, ...rest }: Situation) {
  const by = person(3, 'Cara')
  return {
    state: 'Approved',
    requirements,
    voidedApprovals: [],
    checks: [],
    presetSchedule: preset === undefined ? null : { scheduledAt: preset, after: null, by, at, withdrawn: null },
    freezes: { now: [], scheduled: [] },
    steps: allowed.map((step) => ({ step, allowed: true, offered: true, missing: [] })),
    changeRequest: {
      approvals: Array.from({ length: approvals }, (_, index) => ({ createdBy: person(index + 2, null) })),
      ...(schedule && { schedule: { status: schedule } }),
    },
    ...rest,
  } as unknown as ReviewView
}

describe('open objections', () => {
  it('are those that have not ended; without the option there are none', () => {
    const review = reviewOf({ objections: [objection(1, 2, 'lifted'), objection(2, 2), objection(3, 4)] })
    expect(openObjections(review).map(({ id }) => id)).toEqual([2, 3])
    expect(ownObjection(review, ben)?.id).toBe(2)
    expect(openObjections(reviewOf({}))).toEqual([])
  })

  it('are raised by the first button only once, and only where the server allows it', () => {
    expect(mayObject(reviewOf({ allowed: ['object'] }), ben)).toBe(true)
    expect(mayObject(reviewOf({ allowed: ['object'], objections: [objection(1, 2)] }), ben)).toBe(false)
    expect(mayObject(reviewOf({}), ben)).toBe(false)
  })
})

describe('the effect of an approval', () => {
  it.each<[string, Situation, string, string]>([
    [
      'lifts the own objection',
      { objections: [objection(1, 2)] },
      'Approve and lift objection',
      'Approving lifts your objection, and applies nothing.',
    ],
    [
      'lifts it and applies',
      { objections: [objection(1, 2)], preset: 'approval' },
      'Approve, lift objection and apply',
      'Approving lifts your objection. Your approval applies this immediately.',
    ],
    [
      'applies nothing while a required check has not passed',
      { checks: [check], preset: 'approval' },
      'Approve',
      'It is applied once no approval or check is missing and no objection is open.',
    ],
    [
      'applies nothing while another user objects',
      { objections: [objection(1, 4)], preset: 'approval' },
      'Approve',
      'It is applied once no approval or check is missing and no objection is open.',
    ],
  ])('%s', (_, situation, button, sentence) => {
    const review = reviewOf(situation)
    expect([approveLabel(review, ben), approvalWords(review, ben)]).toEqual([button, sentence])
  })
})

describe('the end of an objection', () => {
  const lift = (situation: Situation) => {
    const review = reviewOf(situation)
    const isLast = endsLastObstacle(review)
    return [appliesWords(review, isLast), presetWords(review, ['Lifting it', 'lifting it'], isLast)]
  }

  it('applies what is scheduled in advance, if it was the last obstacle', () => {
    const preset = 'approval'
    expect(lift({ objections: [objection(1, 2)], preset })).toEqual(['apply', 'Lifting it applies this immediately.'])
    expect(lift({ objections: [objection(1, 2)] })).toEqual([undefined, undefined])
    for (const situation of [
      { objections: [objection(1, 2), objection(2, 4)], preset },
      { objections: [objection(1, 2)], preset, requirements: [{ ...minimum, given: 0 }] },
      { objections: [objection(1, 2)], preset, checks: [check] },
    ])
      expect(lift(situation)[0]).toBe(undefined)
  })

  it.each<[How, string]>([
    ['lifted', 'lifted by Cara'],
    ['approved', 'ended by the approval of Cara'],
    ['dismissed', 'dismissed by Cara: “The load test passes.”'],
    ['replaced', 'replaced by a later objection'],
    ['applied', 'Cara had begun to apply it before'],
    ['closed', 'closed with the change request by Cara'],
    ['emergency', 'Cara applied it in an emergency'],
  ])('%s: %s', (how, words) => {
    const { ended } = objection(1, 2, how)
    expect(ended && textOf(endingWords(ended))).toBe(words)
  })
})

describe('an objection that was sent', () => {
  const before = reviewOf({ objections: [objection(1, 2), objection(2, 4)] })

  it('is there with a new id, or with the same text for the same content', () => {
    expect(hasObjected(reviewOf({ objections: [objection(3, 2)] }), before, 2, 'Still not.')).toBe(true)
    expect(hasObjected(before, before, 2, ' Not today. ')).toBe(true)
  })

  it('is not the old one with another text or for other content, one that ended, or that of another user', () => {
    expect(hasObjected(before, before, 2, 'Still not.')).toBe(false)
    const outdated = reviewOf({ objections: [{ ...objection(1, 2), outdated: true }] })
    expect(hasObjected(outdated, before, 2, 'Not today.')).toBe(false)
    expect(hasObjected(reviewOf({ objections: [objection(3, 2, 'closed')] }), before, 2, 'Not today.')).toBe(false)
    expect(hasObjected(reviewOf({ objections: [objection(3, 4)] }), before, 2, 'Not today.')).toBe(false)
  })
})

it.each<[Situation, string]>([
  [{ state: 'Approved' }, 'The change request returns to review.'],
  [{ state: 'Approved', approvals: 2 }, ''],
  [{ state: 'Scheduled', schedule: 'pending' }, 'The schedule is suspended.'],
  [{ state: 'Scheduled', schedule: 'suspended' }, ''],
  [{ state: 'In review' }, ''],
])('taking back in %j: "%s"', (situation, words) => {
  expect(takeBackWords(reviewOf(situation))).toBe(words)
})

it.each<[Situation, boolean, RegExp]>([
  [{}, false, /dismisses it\.$/],
  [{}, true, /Your approval ends\. The change request returns to review\.$/],
  [{ state: 'In review' }, true, /Your approval ends\.$/],
  [{ schedule: 'pending' }, false, /it\. The schedule is suspended\.$/],
])('objecting in %j shows what it does', (situation, isApprover, words) => {
  expect(objectingWords(reviewOf(situation), isApprover)).toMatch(words)
})

it('the activity has the steps that the log has no event about', () => {
  const cara = person(3, 'Cara')
  const taken = { by: person(2, 'Ben'), at: later, cause: 'taken-back', causedBy: person(2, 'Ben') } as const
  const edited = { by: person(2, 'Ben'), at: later, cause: 'edit', causedBy: cara } as const
  const steps = unloggedSteps(
    reviewOf({
      objections: [objection(1, 2, 'lifted'), objection(2, 4, 'dismissed'), objection(3, 2, 'closed')],
      voidedApprovals: [taken, edited],
    }),
  )
  expect(steps.map(({ person, words }) => `${person.username} ${textOf(words)}`)).toEqual([
    'Ben objected',
    'null objected',
    'Ben objected',
    'Cara lifted the objection',
    'Cara dismissed the objection of user 4: “The load test passes.”',
    'Ben took the approval back',
  ])
  expect(unloggedSteps(reviewOf({}))).toEqual([])
})
