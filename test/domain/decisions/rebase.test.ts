import { targetPart } from '../../../src/domain/actions/table'
import type { Change, ChangeRequest, JsonValue, NewChange } from '../../../src/domain/change-request'
import { rebase, type Take } from '../../../src/domain/decisions/rebase'
import { findOverwrites } from '../../../src/domain/diff/overwrites'
import type { FeatureState } from '../../../src/domain/flag-state'
import { wellFormedCall } from '../../../src/domain/steps/facts'
import { missingFor } from '../../../src/domain/steps/steps'
import {
  change,
  changeRequest,
  facts,
  flags,
  hash,
  later,
  noon,
  on,
  personOf,
  refusalOf,
  vote,
} from '../support/change-requests'

const s1 = { id: 's1', name: 'default', disabled: false, title: 'everybody', parameters: { rollout: '50' } }
const stateOf = (strategy: object | null, others: Partial<FeatureState> = {}) =>
  flags({ enabled: true, strategies: strategy ? [{ ...s1, ...strategy }] : [], ...others })
const before = stateOf({})
const theirs = stateOf({ title: 'all', parameters: { rollout: '70' } })

type Proposal = Omit<NewChange, 'feature'>

const update = (payload: { [name: string]: JsonValue }): Proposal => ({
  action: 'updateStrategy',
  payload: { id: 's1', ...payload },
})

function proposed(...changes: readonly Proposal[]): ChangeRequest {
  const all = changes.map((one, index) => {
    const proposal: NewChange = { ...one, feature: 'checkout' }
    return change(index + 1, { ...proposal, base: targetPart(proposal, before) ?? null })
  })
  return changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')], changes: all })
}

function rebased(
  current: ChangeRequest,
  take: Take | null,
  { present = theirs, named = {}, otherOpen = 0, who = 'ann' as 'ann' | 'ben', bytes = 1_000_000 } = {},
) {
  const facts = { ...on(who).facts, flags: present, otherOpen: otherOpen || undefined, gatedMinimum: 2 }
  const byId = new Map(Object.entries(named).map(([id, choice]) => [Number(id), choice as Take]))
  const takes = { named: byId, others: take }
  const limits = { changes: 3, bytes, targetsBytes: 1_000_000 }
  return rebase(current, { ...on(who), facts, takes, hash, limits, changeIds: [101, 102, 103] })
}

const typesOf = ({ events }: ReturnType<typeof rebase>) => events.map(({ type }) => type)
const payloadsOf = ({ changeRequest: { changes } }: ReturnType<typeof rebase>) =>
  changes.map(({ id, payload }) => [id, payload])

describe('rebase(changeRequest, command)', () => {
  const contested = proposed(update({ parameters: { rollout: '20' } }))

  it('with ours keeps the change and its id, on the current state', () => {
    const decision = rebased(contested, 'ours')
    expect(payloadsOf(decision)).toEqual([[1, { id: 's1', parameters: { rollout: '20' } }]])
    const base = { ...s1, title: 'all', parameters: { rollout: '70' } }
    expect(decision.changeRequest.changes[0]).toMatchObject({ base, baseHash: hash(base) })
    expect(findOverwrites(decision.changeRequest, theirs).size).toBe(0)
    const [event] = decision.events
    expect(event).toMatchObject({ type: 'change-edited', data: { changeId: 1 }, preData: event?.data })
  })

  it('with theirs takes the current value of the fields in question, under a new id', () => {
    const decision = rebased(
      proposed(update({ title: 'few', parameters: { rollout: '50', stickiness: 'id' } })),
      'theirs',
    )
    expect(payloadsOf(decision)).toEqual([
      [101, { id: 's1', title: 'all', parameters: { rollout: '70', stickiness: 'id' } }],
    ])
    expect(typesOf(decision)).toEqual(['change-edited'])
    expect(decision.events[0]).toMatchObject({ data: { changeId: 101 }, preData: { changeId: 1 } })
  })

  it('with theirs keeps a null of `disabled`, which counts as not sent', () => {
    const decision = rebased(proposed(update({ title: 'few', disabled: null })), 'theirs')
    expect(payloadsOf(decision)).toEqual([[101, { id: 's1', title: 'all', disabled: null }]])
  })

  it('with drop discards the change', () => {
    const decision = rebased(proposed(update({ parameters: { rollout: '20' } }), update({ disabled: null })), 'drop')
    expect(payloadsOf(decision)).toEqual([[2, { id: 's1', disabled: null }]])
    expect(typesOf(decision)).toEqual(['change-edited', 'change-discarded'])
  })

  it('takes theirs automatically if the proposal equals the base', () => {
    const whole = update({ title: 'few', parameters: { rollout: '50' } })
    const decision = rebased(proposed(whole), null, { present: stateOf({ parameters: { rollout: '70' } }) })
    expect(payloadsOf(decision)).toEqual([[101, { id: 's1', title: 'few', parameters: { rollout: '70' } }]])
  })

  it('keeps the order of the changes of a flag: those after an edited one also get a new id', () => {
    const first = proposed(update({ title: 'few', parameters: { rollout: '50' } }))
    const second = proposed(update({}), update({ parameters: { rollout: '30' } })).changes[1] as Change
    const other = { ...second, id: 3, feature: 'search' }
    const current = { ...first, changes: [...first.changes, second, other] }
    const decision = rebased(current, 'ours', { present: stateOf({ parameters: { rollout: '70' } }) })
    expect(decision.changeRequest.changes.map(({ id, feature }) => [id, feature])).toEqual([
      [3, 'search'],
      [101, 'checkout'],
      [102, 'checkout'],
    ])
    expect(payloadsOf(decision)[2]).toEqual([102, second.payload])
    expect(typesOf(decision)).toEqual(['change-edited', 'change-edited', 'change-edited'])
  })

  it('voids all approvals and leads back to review, except in a draft', () => {
    const { approvals, voidedApprovals, state, stateTimestamps } = rebased(contested, 'ours').changeRequest
    expect([approvals, state, stateTimestamps['In review']]).toEqual([[], 'In review', later])
    const voided = { at: later, cause: 'rebase', causedBy: personOf('ann') }
    expect(voidedApprovals).toMatchObject([voided, voided])
    expect(rebased({ ...contested, state: 'Draft' }, 'ours').changeRequest.state).toBe('Draft')
  })

  it('ends a schedule, if its author has no other open change request there', () => {
    const schedule = { scheduledAt: later, status: 'suspended', reason: 'changed' } as const
    const scheduled: ChangeRequest = { ...contested, state: 'Scheduled', schedule }
    expect(rebased(scheduled, 'ours').changeRequest).toMatchObject({ state: 'In review', schedule: null })
    expect(refusalOf(() => rebased(scheduled, 'ours', { otherOpen: 9 }))).toMatch(
      /^ConflictError: Your change request 9/,
    )
  })

  it('with drop for a single change discards it, even if it overwrites nothing', () => {
    const current = proposed(update({ title: 'few' }), update({ disabled: null }))
    const decision = rebased(current, null, { present: before, named: { 1: 'drop' } })
    expect(payloadsOf(decision)).toEqual([[2, { id: 's1', disabled: null }]])
  })

  it('keeps the changes as they are without a gateway', () => {
    const { facts, by, now } = on('ann')
    const takes = { named: new Map(), others: null }
    const limits = { changes: 3, bytes: 1_000_000, targetsBytes: 1_000_000 }
    const decision = rebase(contested, { by, now, facts, takes, hash, limits, changeIds: [101] })
    expect(decision.changeRequest.changes).toEqual(contested.changes)
  })

  it('of a change request without changes leaves it as it is', () => {
    expect(rebased({ ...contested, changes: [] }, null).changeRequest.changes).toEqual([])
  })

  it('does not use inherited properties', () => {
    const current = proposed(update({ title: 'few', toString: 'ours' }))
    const [one] = current.changes
    const based = { ...current, changes: [{ ...one, base: { ...s1, toString: 'theirs' } }] } as ChangeRequest
    expect(payloadsOf(rebased(based, 'theirs'))).toEqual([[101, { id: 's1', title: 'all' }]])
  })

  it('discards a deletion if the edit of another user is to stay', () => {
    const current = proposed({ action: 'deleteStrategy', payload: { id: 's1' } }, update({ disabled: null }))
    expect(payloadsOf(rebased(current, 'theirs'))).toEqual([[2, { id: 's1', disabled: null }]])
    expect(payloadsOf(rebased(current, 'ours'))[0]).toEqual([1, { id: 's1' }])
  })

  it.each<[string, () => unknown, RegExp]>([
    ['an overwrite that is not named', () => rebased(contested, null), /^ConflictError: .* 50 %, is 70 % now.* 20 %/],
    ['a change that is not there', () => rebased(contested, 'ours', { named: { 8: 'ours' } }), /^NotFoundError/],
    ['no change that is left', () => rebased(contested, 'drop'), /^ConflictError: The rebase would leave no changes/],
    [
      'present values for which there is no room',
      () =>
        rebased(contested, 'theirs', { present: stateOf({ parameters: { rollout: '7'.repeat(500) } }), bytes: 400 }),
      /^ExceedsLimitError: The changes .* 400 bytes/,
    ],
    ['another than its author', () => rebased(contested, 'ours', { who: 'ben' }), /^OperationDeniedError/],
    ['a closed one', () => rebased({ ...contested, state: 'Applied' }, 'ours'), /^ConflictError/],
  ])('rejects %s', (_, decide, refusal) => {
    expect(refusalOf(decide)).toMatch(refusal)
  })

  it('decides for single changes, and for all others together', () => {
    const current = proposed(update({ parameters: { rollout: '20' } }), update({ title: 'few' }))
    const decision = rebased(current, 'theirs', { named: { 1: 'ours' } })
    expect(payloadsOf(decision)).toEqual([
      [1, { id: 's1', parameters: { rollout: '20' } }],
      [102, { id: 's1', title: 'all' }],
    ])
  })
})

/** @see extensions 17 */
describe('rebase(changeRequest, command) while an objection is open', () => {
  it('keeps the objection and marks it as outdated; it still blocks', () => {
    const objection = { by: personOf('ben'), at: noon, text: 'The load test fails.' }
    const ended = { how: 'lifted', by: personOf('cleo'), at: noon } as const
    const objections = [
      { ...objection, id: 1, by: personOf('cleo'), ended },
      { ...objection, id: 2 },
    ]
    const { changeRequest: after } = rebased({ ...proposed(update({ title: 'few' })), objections }, 'ours')
    expect([after.state, after.objections]).toEqual([
      'In review',
      [objections[0], { ...objections[1], outdated: true }],
    ])
    expect(missingFor('apply', after, facts('ann'), wellFormedCall).map(({ code }) => code)).toContain('objection')
  })
})

describe('rebase(changeRequest, command) of a segment', () => {
  it('with theirs takes the current values, and keeps its id', () => {
    const withName = (name: string) => flags({}, { segments: new Map([[4, { name, constraints: [] }]]) })
    const payload = { id: 4, name: 'few', constraints: [] }
    const proposal: NewChange = { action: 'updateSegment', feature: null, payload }
    const base = targetPart(proposal, withName('beta')) as JsonValue
    const current = changeRequest({ changes: [change(1, { ...proposal, base })] })
    expect(payloadsOf(rebased(current, 'theirs', { present: withName('all') }))).toEqual([
      [101, { ...payload, name: 'all' }],
    ])
  })
})

describe('rebase(changeRequest, command) of a switch that activates strategies', () => {
  const payload = { enabled: true, shouldActivateDisabledStrategies: true }
  const proposal: NewChange = { action: 'updateEnabled', feature: 'checkout', payload }
  const base = targetPart(proposal, stateOf({}, { enabled: false })) as JsonValue
  const current = changeRequest({ changes: [change(1, { ...proposal, base }), change(2, { feature: 'search' })] })
  /** Another user has disabled the strategy: now the switch would enable it again. */
  const present = stateOf({ disabled: true }, { enabled: false })

  it('needs a decision on the strategies that others disabled, and keeps or discards it as a whole', () => {
    expect(refusalOf(() => rebased(current, null, { present }))).toMatch(/^ConflictError: Resolve this overwrite/)
    expect(payloadsOf(rebased(current, 'ours', { present }))).toEqual([
      [1, payload],
      [2, { enabled: true }],
    ])
    expect(payloadsOf(rebased(current, 'theirs', { present }))).toEqual([[2, { enabled: true }]])
  })

  it('takes the current state if it proposes the one of its base', () => {
    const was = targetPart(proposal, before) as JsonValue
    const decision = rebased(changeRequest({ changes: [change(1, { ...proposal, base: was })] }), null, {
      present: stateOf({}, { enabled: false }),
    })
    expect(payloadsOf(decision)).toEqual([[101, { ...payload, enabled: false }]])
  })

  it('needs none if others edited strategies that stay enabled', () => {
    const decision = rebased(current, null, { present: stateOf({ title: 'all' }, { enabled: false }) })
    expect(payloadsOf(decision)[0]).toEqual([1, payload])
  })
})
