import { unleashRules, type Validate, type ValidationContext } from '../../../src'
import { copy } from '../../../src/capabilities/copy/routes'
import { editChange } from '../../../src/capabilities/proposals/changes'
import { revert } from '../../../src/capabilities/revert/routes'
import { review } from '../../../src/capabilities/review/review'
import type { JsonValue, NewChange } from '../../../src/domain/change-request'
import type { FlagState, StrategyState } from '../../../src/domain/flag-state'
import { actors, by, createFixture, rejection } from '../support/fixture'
import { HostFlags } from '../support/flags'

const values = Array.from({ length: 300 }, (_, index) => `${index}`)
const strategy: StrategyState = {
  id: 's1',
  name: 'flexibleRollout',
  disabled: false,
  constraints: [
    { contextName: 'country', operator: 'IN', values },
    { contextName: 'country', operator: 'IN', values: ['x'.repeat(101)] },
    { contextName: 'version', operator: 'SEMVER_GT', value: '1.2' },
  ],
  parameters: { rollout: '50%' },
  variants: [
    { name: 'blue', weight: 333, weightType: 'fix', stickiness: 'default' },
    { name: 'red', weight: 333, weightType: 'fix', stickiness: 'default' },
  ],
}
const { constraints, parameters, variants } = strategy as unknown as { readonly [property: string]: JsonValue }
const broken = { constraints, parameters, variants } as { [property: string]: JsonValue }

const updated = (payload: { [property: string]: JsonValue }): NewChange => ({
  action: 'updateStrategy',
  feature: 'checkout',
  payload: { id: 's1', ...payload },
})
const deleted: NewChange = { action: 'deleteStrategy', feature: 'checkout', payload: { id: 's1' } }

/** A store whose strategy has what the rules refuse. Counts its reads, and records what the validator is given. */
function open({ gateway = true, strategies = [strategy] } = {}) {
  const flags = new HostFlags()
  const store = { strategies, reads: 0 }
  flags.instead = async ({ features }): Promise<FlagState> => {
    store.reads += 1
    const state = { archived: false, enabled: false, strategies: store.strategies }
    return { features: new Map(features.map((name) => [name, state])), segments: new Map() }
  }
  const given: ValidationContext['current'][] = []
  const rules = unleashRules()
  const validate: Validate = (changes, context) => {
    given.push(context.current)
    return rules(changes, context)
  }
  const fixture = createFixture({ flags: gateway ? flags : null, validate })
  const { services } = fixture
  const edit = (change: NewChange, id = 1, changeId = 1) =>
    editChange(services, { ...by('ann'), project: 'shop', id, changeId, change })
  const read = (id = 1) => review(services, { actor: actors.ann, project: 'shop', id })
  const invalid = async (id = 1) =>
    (await read(id)).steps.filter(({ missing }) => missing.some(({ code }) => code === 'invalid'))
  const applied = async (id = 1) => {
    await fixture.to('ann', 'In review', { id })
    await fixture.to('ben', 'Approved', { id })
    return fixture.to('ben', 'Applied', { id })
  }
  return {
    ...fixture,
    ...{ store, given, edit, read, invalid, applied },
    revert: async () => (await revert(services, { ...by('ann'), project: 'shop', id: 1 }, false)).changeRequest,
    copy: async (id = 1) => (await copy(services, { ...by('ann'), project: 'shop', id })).changeRequest,
  }
}

/** @see contract 4.4 */
describe('what the target already has', () => {
  it('makes no edit invalid: when it is proposed, edited, submitted and applied', async () => {
    const fixture = open()
    await fixture.propose('ann', [updated({ title: 'Half', ...broken })])
    await fixture.edit(updated({ title: 'All', ...broken }))
    expect(await fixture.invalid()).toEqual([])
    await fixture.applied()
    expect((await fixture.stored())?.state).toBe('Applied')
  })

  it('makes no revert of a deletion invalid, which can be edited and copied', async () => {
    const fixture = open()
    await fixture.propose('ann', [deleted])
    await fixture.applied()
    fixture.store.strategies = []
    expect(await fixture.invalid()).toEqual([])
    const draft = await fixture.revert()
    const { id, payload } = draft.changes[0] as { id: number; payload: { [property: string]: JsonValue } }
    await fixture.edit({ action: 'addStrategy', feature: 'checkout', payload: { ...payload, title: 'Again' } }, 2, id)
    await fixture.to('ann', 'Cancelled', { id: 2 })
    expect(await fixture.invalid(2)).toEqual([])
    expect((await fixture.copy(2)).id).toBe(3)
    expect(await fixture.invalid(3)).toEqual([])
    await fixture.applied(3)
    expect((await fixture.stored(3))?.changes).toMatchObject([{ payload: { ...broken, title: 'Again' } }])
  })

  it('makes a new strategy invalid, and everything without a gateway', async () => {
    const fixture = open()
    const added: NewChange = { action: 'addStrategy', feature: 'checkout', payload: { name: 'default', ...broken } }
    expect((await rejection(fixture.propose('ann', [added]))).details).toHaveLength(5)
    const without = open({ gateway: false })
    expect((await rejection(without.propose('ann', [updated(broken)]))).details).toHaveLength(5)
  })

  it('is given to every validator, for each change by its position', async () => {
    const fixture = open()
    const changes = [updated({ title: 'Half' }), { ...deleted, payload: { id: 's2' } }]
    await fixture.propose('ann', changes)
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
    expect(fixture.given).toEqual([
      [strategy, null],
      [strategy, null],
    ])
    const without = open({ gateway: false })
    await without.propose('ann', [updated({ title: 'Half' })])
    await without.to('ann', 'In review')
    expect(without.given).toEqual([undefined, undefined])
  })

  it('takes no further read of the flags', async () => {
    const fixture = open()
    const readsOf = async (work: Promise<unknown>) => {
      const before = fixture.store.reads
      await work
      return fixture.store.reads - before
    }
    expect(await readsOf(fixture.propose('ann', [deleted]))).toBe(1)
    expect(await readsOf(fixture.edit(deleted))).toBe(1)
    expect(await readsOf(fixture.to('ann', 'In review'))).toBe(0)
    await fixture.to('ben', 'Approved')
    await fixture.to('ben', 'Applied')
    expect(await readsOf(fixture.read())).toBe(0)
    expect(await readsOf(fixture.revert())).toBe(1)
    await fixture.to('ann', 'Cancelled', { id: 2 })
    expect(await readsOf(fixture.copy())).toBe(1)
  })
})
