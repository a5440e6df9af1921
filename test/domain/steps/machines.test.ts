import type { ChangeRequest } from '../../../src/domain/change-request'
import { isOwn } from '../../../src/domain/content/authors'
import { addChanges, discardChange, editChange } from '../../../src/domain/decisions/changes'
import { wellFormedCall } from '../../../src/domain/steps/facts'
import { missingFor, type Step } from '../../../src/domain/steps/steps'
import { stepNames } from '../../../src/generated/lists'
import { by, change, changeRequest, facts, hash, later, nobody, personOf } from '../support/change-requests'

const machines = ['service', 'agent'] as const
const scheduled = { scheduledAt: later, status: 'pending', reason: null } as const
const states = ['Draft', 'In review', 'Approved', 'Scheduled', 'Applied', 'Cancelled', 'Rejected'] as const
const objections: readonly Step[] = ['object', 'liftObjection', 'dismissObjection', 'takeBackApproval']
const peopleOnly: readonly Step[] = ['approve', 'applyInEmergency', 'acknowledge', ...objections]

const inState = (state: ChangeRequest['state']) =>
  changeRequest({ state, schedule: state === 'Scheduled' ? scheduled : null })
const findings = (step: Step, current: ChangeRequest, given: Parameters<typeof missingFor>[2]) =>
  missingFor(step, current, given as never, wellFormedCall)
const codes = (...given: Parameters<typeof findings>) => findings(...given).map(({ code }) => code)

/** @see contract 23 */
describe.each(machines)('a machine of kind %s', (callerKind) => {
  const dora = { ...facts('dora', { adminSelfApproval: true, emergency: true }), callerKind }

  it.each(peopleOnly)('cannot take the step %s, whatever permissions it has', (step) => {
    for (const state of states) {
      expect(codes(step, inState(state), dora)).toEqual(['not-for-machines'])
      expect(codes(step, inState(state), { ...nobody, userId: 5, callerKind })).toEqual(['not-for-machines'])
    }
  })

  it('rejects nothing but its own schedule', () => {
    for (const state of states) {
      expect(codes('reject', inState(state), dora)).toEqual(['not-for-machines'])
    }
    const author = { ...facts('ann'), callerKind }
    expect(codes('reject', inState('Scheduled'), author)).toEqual([])
    expect(codes('reject', inState('In review'), author)).toEqual(['not-for-machines'])
  })

  it('may take every other step', () => {
    const others = stepNames.filter((step) => step !== 'reject' && !peopleOnly.includes(step))
    for (const step of others) {
      for (const state of states) {
        const current = inState(state)
        expect([step, state, codes(step, current, { ...facts('ann'), callerKind })]).toEqual([
          ...[step, state, codes(step, current, facts('ann'))],
        ])
      }
    }
  })

  it('learns what it is', () => {
    const name = callerKind === 'agent' ? 'an agent' : 'a service'
    for (const step of ['approve', 'reject'] as const) {
      const [finding] = findings(step, inState('In review'), dora)
      expect(finding?.message).toBe(`Only people may ${step} a change request; the caller is ${name}.`)
    }
  })
})

describe('the authors of a change request', () => {
  const bot = (onBehalfOf?: number) => ({
    ...by('ann'),
    author: {
      ...by('ann').author,
      person: {
        ...personOf('ann'),
        kind: 'agent' as const,
        ...(onBehalfOf === undefined ? {} : { onBehalfOf: { id: onBehalfOf, username: null } }),
      },
    },
  })
  const limits = { changes: 100, bytes: 100_000, targetsBytes: 100_000 }
  const command = (onBehalfOf?: number) => ({ by: bot(onBehalfOf), now: later, facts: facts('ann'), limits, hash })
  const added = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: false } } as const
  const add = (current: ChangeRequest, onBehalfOf?: number) => {
    const { by: caller, ...rest } = command(onBehalfOf)
    return addChanges(current, { ...rest, author: caller.author, changes: [added], changeIds: [9] }).changeRequest
  }
  const draft = changeRequest({ state: 'Draft' })

  it('are also the people for whom machines added and edited changes, each once', () => {
    const forBen = add(draft, 2)
    const forCleo = editChange(forBen, { ...command(3), changeId: 9, change: added, newId: 10 }).changeRequest
    expect(forCleo.otherAuthors).toEqual([2, 3])
    expect(add(forCleo, 2).otherAuthors).toEqual([2, 3])
    expect([1, 2, 3, 4, null].map((id) => isOwn(forCleo, id))).toEqual([true, true, true, false, false])
  })

  it('stay when the change is discarded', () => {
    const { by: caller, now, facts: given } = command()
    const left = discardChange(add(draft, 2), { by: caller, now, facts: given }, 9).changeRequest
    expect([left.otherAuthors, isOwn(left, 2)]).toEqual([[2], true])
  })

  it('are not stored where there is no other', () => {
    expect(add(draft)).not.toHaveProperty('otherAuthors')
    expect(add(draft, 1)).not.toHaveProperty('otherAuthors')
  })

  it('cannot approve what a machine did for them', () => {
    const sent = { ...add(draft, 2), state: 'In review' as const }
    expect(codes('approve', sent, facts('ben'))).toEqual(['own-change-request'])
    expect(codes('approve', sent, facts('cleo'))).toEqual([])
    expect(codes('approve', sent, { ...facts('ben', { adminSelfApproval: true }), ADMIN: true })).toEqual([])
  })

  it('are those who changed it, if it was stored without a list', () => {
    const stored = changeRequest({ changes: [change(1, { createdBy: personOf('cleo') })] })
    expect([1, 3, 2].map((id) => isOwn(stored, id))).toEqual([true, true, false])
  })
})
