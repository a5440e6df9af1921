import type { MeView, RequirementView, ReviewView, StepCode, StepName } from '../../../src/generated'
import * as times from '../../../src/page/app/core/tools/times'
import { nextOf } from '../../../src/page/app/screens/request/next'
import { textOf } from '../../../src/page/app/words/spans'

const later = '2026-11-20T11:00:00.000Z'
const at = times.dayAndTime(later)
const person = (id: number, username: string, groups: string[] = []): MeView => {
  return { id, username, imageUrl: null, groups, kind: 'person', onBehalfOf: null }
}
const author = person(1, 'Ann')
const reviewer = person(2, 'Ben')
const owner = person(4, 'Dan', ['payments'])
const reader = person(5, 'Eve')

const requirement = (given: number, approvals: number, from: RequirementView['from'] = null, name = 'minimum') =>
  ({ name, environment: null, approvals, given, from }) as RequirementView
const groups = (...names: string[]) => ({ users: [], groups: names })
const users = (...ids: number[]) => ({ users: ids, groups: [] })
const owners = (given = 0, approvals = 1) => requirement(given, approvals, groups('payments'), 'payments owners')

interface Situation
  extends Partial<Pick<ReviewView, 'state' | 'flags' | 'applying' | 'emergency' | 'author' | 'objections'>> {
  readonly me?: MeView
  readonly allowed?: readonly StepName[]
  readonly requirements?: readonly RequirementView[]
  readonly change?: { readonly conflict?: string; readonly overwrites?: true }
  /** What applying lacks. */
  readonly missing?: StepCode
  readonly schedule?: 'pending' | 'suspended'
  readonly frozen?: 'now' | 'scheduled'
}

function next({ me = reader, allowed = [], requirements = [], change = {}, missing, ...rest }: Situation) {
  const { schedule, frozen, ...given } = rest
  const freezes = { now: [], scheduled: [], ...(frozen && { [frozen]: [{ name: 'Sale' }] }) }
  const steps = (['apply', ...allowed] as const).map((step) => {
    return { step, allowed: allowed.includes(step), missing: missing === undefined ? [] : [{ code: missing }] }
  })
  const { conflict = null, overwrites = false } = change
  const review = {
    state: 'In review',
    flags: 'current',
    applying: null,
    emergency: null,
    author,
    requirements,
    freezes,
    steps,
    changes: [{ conflict, fields: [{ overwrites }] }],
    changeRequest: {
      createdBy: author,
      environment: 'production',
      ...(schedule && { schedule: { scheduledAt: later, status: schedule } }),
    },
    ...given,
  } as unknown as ReviewView
  return nextOf(review, me, (id) => (id === 4 ? 'Dan' : undefined))
}

const wordsOf = (situation: Situation) => textOf(next(situation).words)

const objected = (...people: readonly MeView[]) => people.map((person) => ({ person, ended: null })) as never

describe('what happens next', () => {
  it.each<[string, Situation, string]>([
    [
      'an objection',
      { state: 'Approved', objections: objected(reviewer) },
      "Ben objected. It can't be applied until the objection is lifted or dismissed.",
    ],
    [
      'the own objection',
      { state: 'Approved', me: reviewer, objections: objected(reviewer) },
      "You objected. It can't be applied until the objection is lifted or dismissed.",
    ],
    [
      'two objections, and an approval that is missing',
      { objections: objected(reviewer, owner), requirements: [owners()] },
      "Ben and 1 other objected. It can't be applied until all objections are lifted or dismissed. Needs 1 approval: anyone in payments.",
    ],
  ])('%s', (_, situation, words) => {
    expect(wordsOf(situation)).toBe(words)
  })

  it.each<[string, Situation, string]>([
    [
      'a draft, to its author',
      { state: 'Draft', me: author, allowed: ['submit'] },
      'Send it to review. Until then, others see its changes only in the event log.',
    ],
    ['a draft that lacks something', { state: 'Draft', me: author }, "It can't be sent to review yet:"],
    ['a draft of another user', { state: 'Draft' }, 'Ann has to send it to review.'],
    [
      'a draft of a machine',
      { state: 'Draft', author: { ...person(20, 'Deploy Bot'), id: 20, kind: 'service', onBehalfOf: null } },
      'Deploy Bot has to send it to review.',
    ],
    [
      'a conflict, to the author',
      { me: author, change: { conflict: 'It is gone.' } },
      "Resolve the conflict. Until then, it can't be applied.",
    ],
    ['a conflict', { change: { conflict: 'It is gone.' } }, 'Ann has to resolve the conflict.'],
    [
      'an overwrite, to the author',
      { me: author, change: { overwrites: true }, missing: 'overwrite' },
      'Rebase it: it would undo a newer change.',
    ],
    [
      'an overwrite, to a user who can not apply',
      { change: { overwrites: true }, missing: 'missing-permission' },
      'Ann has to rebase it: it would undo a newer change.',
    ],
    [
      'an overwrite that the host app allows',
      { change: { overwrites: true }, state: 'Approved', allowed: ['apply'] },
      'You can apply it now.',
    ],
    [
      'flags that cannot be read',
      { flags: 'unavailable' },
      'It can be approved and applied once flags can be read again.',
    ],
    ['approved', { state: 'Approved', allowed: ['apply', 'schedule'] }, 'You can apply it now, or schedule it.'],
    [
      'approved, to its author',
      { state: 'Approved', me: author, missing: 'missing-permission' },
      'Anyone who can apply changes in production can apply it now.',
    ],
    [
      'approved, in a freeze',
      { state: 'Approved', frozen: 'now', missing: 'frozen', allowed: ['schedule'] },
      'It can be applied after the freeze. You can schedule it.',
    ],
    ['approved, without a gateway', { state: 'Approved', missing: 'no-flag-gateway' }, "It can't be applied yet:"],
    ['scheduled', { state: 'Scheduled', schedule: 'pending' }, `It is applied on ${at}. Nobody has to act.`],
    [
      'scheduled in a freeze',
      { state: 'Scheduled', schedule: 'pending', frozen: 'scheduled' },
      `It is scheduled for ${at}, in a freeze.`,
    ],
    [
      'scheduled, but its approvals no longer count',
      { state: 'Scheduled', schedule: 'pending', requirements: [requirement(0, 1)] },
      'Needs 1 approval: anyone who can approve.',
    ],
    [
      'suspended',
      { state: 'Scheduled', schedule: 'suspended', allowed: ['apply', 'schedule'] },
      'You can apply it now, or schedule it.',
    ],
    ['applied', { state: 'Applied' }, 'It is applied. Nobody has to act.'],
    [
      'applied in an emergency, to a reviewer',
      { state: 'Applied', emergency: { reason: '', missing: [], acknowledgedBy: null }, allowed: ['acknowledge'] },
      'Acknowledge it, or revert it if something is wrong.',
    ],
    [
      'applied in an emergency, to others',
      { state: 'Applied', emergency: { reason: '', missing: [], acknowledgedBy: null } },
      'Needs acknowledgement by anyone who can approve, and neither applied nor changed it.',
    ],
    [
      'rejected',
      { state: 'Rejected', allowed: ['copy'] },
      'It is closed, and nothing was applied. You can propose it again.',
    ],
    ['cancelled', { state: 'Cancelled' }, 'It is closed, and nothing was applied.'],
    [
      'being applied',
      { state: 'Approved', applying: { since: later, by: reviewer as never, interrupted: false } },
      `The apply that Ben began on ${at} is running.`,
    ],
    [
      'interrupted',
      { state: 'Approved', applying: { since: later, by: reviewer as never, interrupted: true } },
      `The apply that Ben began on ${at} was interrupted; the flags may be changed.`,
    ],
  ])('%s', (_, situation, words) => {
    expect(wordsOf(situation)).toBe(words)
  })

  it.each<[string, readonly RequirementView[], string]>([
    ['the first', [requirement(0, 1)], 'Needs 1 approval: anyone who can approve.'],
    ['a further one', [requirement(1, 3)], 'Needs 2 more approvals: anyone who can approve.'],
    ['one that also counts for the minimum', [requirement(0, 1), owners()], 'Needs 1 approval: anyone in payments.'],
    ['one of a rule', [requirement(1, 1), owners()], 'Needs 1 more approval: anyone in payments.'],
    ['some of a rule', [requirement(0, 2), owners()], 'Needs 2 approvals, 1 of them from anyone in payments.'],
    [
      'those of several rules',
      [requirement(0, 1), owners(), requirement(0, 1, users(4, 9), 'on call')],
      'Needs approvals: 1 from anyone in payments, 1 from Dan or user 9.',
    ],
    [
      'one of several groups',
      [requirement(0, 1, groups('payments', 'shop'), 'owners')],
      'Needs 1 approval: anyone in payments or anyone in shop.',
    ],
  ])('missing approvals: %s', (_, requirements, words) => {
    expect(wordsOf({ requirements })).toBe(words)
    expect(next({ requirements }).namesApprovers).toBe(true)
  })

  it.each<[string, MeView, string]>([
    ['those who can give it', owner, 'Needs 1 approval: you or anyone else in payments.'],
    ['those whose approval counts for something else', reviewer, 'Needs 1 approval: anyone in payments.'],
  ])('missing approvals, to %s', (_, me, words) => {
    expect(wordsOf({ me, allowed: ['approve'], requirements: [requirement(0, 1), owners()] })).toBe(words)
  })

  it('names the step that lacks what only the server can say', () => {
    expect(next({ state: 'Draft', me: author }).blocked).toBe('submit')
    expect(next({ state: 'Approved', missing: 'no-flag-gateway' }).blocked).toBe('apply')
  })
})
