import type { RequirementView, ReviewView } from '../../../src/generated'
import { decisionWords } from '../../../src/page/app/screens/request/decision-words'

const ben = 2
const requirement = (name: string, given: number, approvals: number) => ({ name, given, approvals }) as RequirementView

const review = (state: ReviewView['state'], requirements: RequirementView[] = [], approvedBy: number[] = []) =>
  ({
    state,
    requirements,
    emergency: null,
    votes: approvedBy.map((id) => ({ person: { id } })),
    changeRequest: { approvals: approvedBy.map((id) => ({ createdBy: { id } })) },
  }) as unknown as ReviewView

const before = review('In review')

describe('what a decision led to', () => {
  it.each([
    ['Approved, waiting for 1 more', review('In review', [requirement('minimum', 1, 2)], [ben])],
    [
      'Approved, waiting for payments owners, legal',
      review(
        'In review',
        [requirement('minimum', 1, 1), requirement('payments owners', 0, 1), requirement('legal', 0, 1)],
        [ben],
      ),
    ],
    ['Approved, not applied yet', review('Approved', [], [ben])],
    ['Rejected', review('Rejected')],
    ['Applied', review('Applied')],
  ])('%s', (words, now) => {
    expect(decisionWords(before, now, ben)).toBe(words)
  })

  const objected = (by: number, ended: object | null = null) => [{ id: 1, person: { id: by }, ended }] as never
  const ending = (how: string, by: number) => ({ how, by: { id: by } })

  it.each<[string | undefined, Partial<ReviewView>, Partial<ReviewView>]>([
    ['Objected', {}, { objections: objected(ben) }],
    ['Objection lifted', { objections: objected(ben) }, { objections: objected(ben, ending('lifted', ben)) }],
    ['Objection dismissed', { objections: objected(7) }, { objections: objected(7, ending('dismissed', ben)) }],
    [undefined, {}, { objections: objected(7) }],
    [undefined, { objections: objected(ben) }, { objections: objected(ben, ending('dismissed', 7)) }],
    [undefined, { objections: objected(ben) }, { objections: objected(ben) }],
  ])('%s, of objections', (words, then, now) => {
    expect(decisionWords({ ...before, ...then }, { ...before, ...now }, ben)).toBe(words)
  })

  it.each([
    ['taken-back', ben, 'Approval taken back'],
    ['edit', ben, undefined],
    ['taken-back', 7, undefined],
  ])('of an approval that ended by %s of user %i: %s', (cause, by, words) => {
    const voidedApprovals = [{ by: { id: by }, cause }] as ReviewView['voidedApprovals']
    expect(decisionWords(review('In review', [], [ben]), { ...before, voidedApprovals }, ben)).toBe(words)
  })

  it('is the acknowledgement of an emergency', () => {
    const emergency = { acknowledgedBy: null } as ReviewView['emergency']
    const acknowledged = { acknowledgedBy: {} } as ReviewView['emergency']
    const applied = review('Applied')
    expect(decisionWords({ ...applied, emergency }, { ...applied, emergency: acknowledged }, ben)).toBe('Acknowledged')
  })

  it('is nothing for a submission, a comment and the approval of another user', () => {
    const others = review('In review', [], [7])
    for (const now of [before, others]) expect(decisionWords(before, now, ben)).toBeUndefined()
    expect(decisionWords(review('Draft'), before, ben)).toBeUndefined()
    expect(decisionWords(review('In review', [], [ben]), review('In review', [], [ben]), ben)).toBeUndefined()
  })
})
