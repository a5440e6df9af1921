import { listActions } from '../../../src/capabilities/authoring/routes'
import { copy } from '../../../src/capabilities/copy/routes'
import { editChange } from '../../../src/capabilities/proposals/changes'
import { withConstraints } from '../../../src/capabilities/proposals/operators'
import { revert } from '../../../src/capabilities/revert/routes'
import { review } from '../../../src/capabilities/review/review'
import type { JsonValue, NewChange } from '../../../src/domain/change-request'
import type { FlagState, StrategyState } from '../../../src/domain/flag-state'
import { operators } from '../../../src/generated/lists'
import { actors, by, createFixture, rejection } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const newer = { contextName: 'plan', operator: 'PLAN_AT_LEAST', value: 'gold' }
const known = { contextName: 'country', operator: 'IN', values: ['NO'] }
const strategy: StrategyState = { id: 's1', name: 'default', disabled: false, constraints: [newer], parameters: {} }

const updated = (payload: { [property: string]: JsonValue }): NewChange => ({
  action: 'updateStrategy',
  feature: 'checkout',
  payload: { id: 's1', ...payload },
})
const added = (constraints: JsonValue): NewChange => ({
  action: 'addStrategy',
  feature: 'checkout',
  payload: { name: 'default', constraints, parameters: {} },
})
const deleted: NewChange = { action: 'deleteStrategy', feature: 'checkout', payload: { id: 's1' } }
const segment = (constraints: JsonValue): NewChange => ({
  action: 'updateSegment',
  feature: null,
  payload: { id: 4, name: 'gold', constraints },
})
const ofMilestone = (constraints: JsonValue): NewChange => ({
  action: 'updateMilestoneStrategy',
  feature: 'checkout',
  payload: { id: 'm1', constraints },
})

/** A store whose strategy, milestone strategy and segment have a constraint with an operator that nobody knows here. */
function open(gateway = true) {
  const flags = new HostFlags()
  const store = { strategies: [strategy], constraints: [newer] as JsonValue[] }
  flags.instead = async ({ features, segments }): Promise<FlagState> => ({
    features: new Map(
      features.map((name) => [
        name,
        {
          archived: false,
          enabled: false,
          strategies: store.strategies,
          milestoneStrategies: [{ ...strategy, id: 'm1' }],
        },
      ]),
    ),
    segments: new Map(segments.map((id) => [id, { name: 'gold', project: 'shop', constraints: store.constraints }])),
  })
  const fixture = createFixture({ flags: gateway ? flags : null })
  const edit = (change: NewChange, id = 1, changeId = 1) =>
    editChange(fixture.services, { ...by('ann'), project: 'shop', id, changeId, change })
  const read = (id: number) => review(fixture.services, { actor: actors.ann, project: 'shop', id })
  const missing = async (id: number, step: string) =>
    (await read(id)).steps.find((one) => one.step === step)?.missing.map(({ message }) => message)
  return { ...fixture, store, edit, missing }
}

const list = operators.map((name) => JSON.stringify(name)).join(', ')
const refusal = (operator: string, at: string) => ({
  name: 'BadDataError',
  details: [
    { path: 'operator', message: `operator must be one of ${list}, got "${operator}" at ${at}`, code: 'invalid' },
  ],
})

/** @see contract 4.3 */
describe('an operator that is not known', () => {
  it.each([
    ['a strategy', updated({ constraints: [known, newer] })],
    ['a strategy that is renamed', updated({ title: 'Gold', constraints: [newer] })],
    ['a strategy of a milestone', ofMilestone([{ ...newer, value: 'silver' }])],
    ['a segment', segment([newer])],
  ])('is accepted in %s that has it', async (_, change) => {
    const fixture = open()
    await fixture.propose('ann', [change])
    await fixture.edit(change)
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
    await fixture.to('ben', 'Applied')
    expect((await fixture.stored())?.changes).toMatchObject([{ payload: change.payload }])
  })

  const other = { ...newer, operator: 'PLAN_BELOW' }

  it.each([
    ['a new strategy', added([known, newer]), 'PLAN_AT_LEAST', 1],
    ['a strategy that has another one', updated({ constraints: [newer, other] }), 'PLAN_BELOW', 1],
    ['a strategy that does not exist', updated({ id: 's2', constraints: [newer] }), 'PLAN_AT_LEAST', 0],
    ['a strategy of a milestone', ofMilestone([other]), 'PLAN_BELOW', 0],
    ['a segment', segment([known, known, other]), 'PLAN_BELOW', 2],
  ])('is rejected in %s', async (_, change, operator, index) => {
    const fixture = open()
    await fixture.propose('ann', [deleted])
    const place = `payload/constraints/${index}/operator`
    expect(await rejection(fixture.propose('ann', [deleted, change]))).toMatchObject(
      refusal(operator, `/body/1/${place}`),
    )
    expect(await rejection(fixture.edit(change))).toMatchObject(refusal(operator, `/body/${place}`))
  })

  it('is rejected without a gateway', async () => {
    const fixture = open(false)
    const expected = refusal('PLAN_AT_LEAST', '/body/0/payload/constraints/0/operator')
    expect(await rejection(fixture.propose('ann', [updated({ constraints: [newer] })]))).toMatchObject(expected)
  })

  it('is looked for in each action whose schema has operators of constraints', () => {
    const offered = listActions({ actions: undefined, actionSchemas: new Map() }, 'url')
    const found = offered.filter(({ schema }) => JSON.stringify(schema).includes('"title":"Operator"'))
    expect(found.map(({ action }) => action).sort()).toEqual([...withConstraints].sort())
  })

  it('does not matter in the payload of an action without constraints', async () => {
    const fixture = open()
    const { changeRequest } = await fixture.propose('ann', [
      { ...deleted, payload: { id: 's1', constraints: [{ ...newer, operator: 'PLAN_BELOW' }] } },
    ])
    expect(changeRequest.changes).toHaveLength(1)
  })
})

describe('a change request that restores it', () => {
  /** A deleted strategy, with the draft that reverts that. */
  async function reverted() {
    const fixture = open()
    await fixture.approved([deleted])
    await fixture.to('ben', 'Applied')
    fixture.store.strategies = []
    expect(await fixture.missing(1, 'revert')).toEqual([])
    const { changeRequest } = await revert(fixture.services, { ...by('ann'), project: 'shop', id: 1 }, false)
    return { ...fixture, change: changeRequest.changes[0]?.id as number }
  }

  it('is the revert of its deletion, of a change of it, and of a change of a segment', async () => {
    const fixture = await reverted()
    const details = { id: 2 }
    await fixture.to('ann', 'In review', details)
    await fixture.to('ben', 'Approved', details)
    await fixture.to('ben', 'Applied', details)
    expect((await fixture.stored(2))?.changes).toMatchObject([
      { action: 'addStrategy', payload: { constraints: [newer] } },
    ])
    for (const change of [updated({ constraints: [] }), segment([])]) {
      const other = open()
      await other.approved([change])
      await other.to('ben', 'Applied')
      other.store.strategies = [{ ...strategy, constraints: [] }]
      other.store.constraints = []
      const { changeRequest } = await revert(other.services, { ...by('ann'), project: 'shop', id: 1 }, false)
      expect(changeRequest.changes).toMatchObject([{ payload: { constraints: [newer] } }])
    }
  })

  it('can be edited, but gets no other operator', async () => {
    const fixture = await reverted()
    const edited = added([{ ...newer, value: 'silver' }])
    await fixture.edit(edited, 2, fixture.change)
    const id = (await fixture.stored(2))?.changes[0]?.id as number
    await fixture.edit(added([newer]), 2, id)
    const other = added([{ ...newer, operator: 'PLAN_BELOW' }])
    expect(await rejection(fixture.edit(other, 2, id + 1))).toMatchObject({ name: 'BadDataError' })
    const elsewhere = { ...edited, feature: 'search' }
    expect(await rejection(fixture.edit(elsewhere, 2, id + 1))).toMatchObject({ name: 'BadDataError' })
  })

  it('can be copied', async () => {
    const fixture = await reverted()
    await fixture.to('ann', 'Cancelled', { id: 2 })
    expect(await fixture.missing(2, 'copy')).toEqual([])
    const { changeRequest } = await copy(fixture.services, { ...by('ann'), project: 'shop', id: 2 })
    await fixture.to('ann', 'In review', { id: changeRequest.id })
    expect((await fixture.stored(changeRequest.id))?.changes).toMatchObject([{ payload: { constraints: [newer] } }])
  })
})

describe('a copy', () => {
  const cancelled = async () => {
    const fixture = open()
    await fixture.propose('ann', [updated({ title: 'Gold', constraints: [newer] })])
    await fixture.to('ann', 'In review')
    await fixture.to('ann', 'Cancelled')
    return { ...fixture, copy: () => copy(fixture.services, { ...by('ann'), project: 'shop', id: 1 }) }
  }

  it('keeps an operator that the target has', async () => {
    const fixture = await cancelled()
    expect(await fixture.missing(1, 'copy')).toEqual([])
    expect((await fixture.copy()).changeRequest.changes).toMatchObject([{ payload: { constraints: [newer] } }])
  })

  it('is rejected for an operator that the target no longer has', async () => {
    const fixture = await cancelled()
    fixture.store.strategies = [{ ...strategy, constraints: [] }]
    expect(await rejection(fixture.copy())).toMatchObject({
      name: 'BadDataError',
      details: [{ message: `Editing “Gold” of checkout: operator must be one of ${list}, got "PLAN_AT_LEAST"` }],
    })
  })
})
