import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalRule } from '../../../src/domain/approval/approval-rule'
import { problemInRules } from '../../../src/domain/approval/check-rules'
import type { Change, JsonValue, NewChange } from '../../../src/domain/change-request'
import type { StrategyState } from '../../../src/domain/flag-state'
import { baseOf } from '../../../src/domain/flags/base'
import { matchingRules, rulesIn } from '../../../src/domain/rules/condition'
import { requirementsOf } from '../../../src/domain/steps/requirements'
import { hashOf } from '../../../src/kernel/digest'
import { change, changeRequest, facts, flags, personOf } from '../support/change-requests'

const guide = readFileSync(join(__dirname, '../../../docs/rules.md'), 'utf8')

/** The rules of the guide by their constants, as a host that copies them has them. */
const rules = new Map(
  [...guide.matchAll(/const (\w+): ApprovalRule = (\{\n[\s\S]*?\n\})/g)].map(([, constant = '', literal]) => {
    return [constant, new Function(`return (${literal})`)() as ApprovalRule]
  }),
)

const blue = { name: 'blue', weight: 500, payload: { type: 'string', value: '9 €' } }
const grey = { ...blue, name: 'grey' }
const strategy = {
  ...{ id: 's1', name: 'flexibleRollout', disabled: false, title: null, constraints: [] },
  parameters: { rollout: '20' },
} as unknown as StrategyState
const segments = new Map([[4, { name: 'beta', constraints: [] }]])
const ofFlag = { archived: false, enabled: true, strategies: [strategy], variants: [blue, grey] }
const state = flags({}, { segments, features: new Map(['checkout', 'price-page'].map((name) => [name, ofFlag])) })

const on = (action: NewChange['action'], payload: unknown, feature = 'checkout'): NewChange => {
  return { action, feature, payload: payload as JsonValue }
}
const edit = (more: object) => on('updateStrategy', { id: 's1', ...more })
const rollout = (...steps: number[]) => steps.map((to) => edit({ parameters: { rollout: `${to}` } }))
const added = (parameters: object) => [on('addStrategy', { name: 'flexibleRollout', constraints: [], parameters })]
const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }]
const variants = (feature: string, one: object) => [
  on('patchVariant', { variants: [{ ...blue, ...one }, grey] }, feature),
]
const switched = (...all: boolean[]) => all.map((enabled) => on('updateEnabled', { enabled }))

/** A row for each row of the tables of the guide: what is proposed, and whether it needs more than the minimum. */
const rows: readonly (readonly [rule: string, request: string, changes: readonly NewChange[], needsMore: boolean])[] = [
  ['bigSteps', 'rollout from 20 % to 45 %', rollout(45), false],
  ['bigSteps', 'rollout from 20 % to 46 %', rollout(46), true],
  ['bigSteps', '20 % to 35 % to 50 %, two changes', rollout(35, 50), true],
  ['bigSteps', 'a new strategy', added({ rollout: '5' }), true],
  ['everybody', 'rollout to 90 %', rollout(90), false],
  ['everybody', 'rollout to 91 %, in however many requests', rollout(91), true],
  ['everybody', 'a new strategy with 20 %', added({ rollout: '20' }), false],
  ['everybody', 'a new strategy without a rollout', added({}), true],
  ['targeting', 'a constraint on `country`, in a strategy', [edit({ constraints })], true],
  [
    'targeting',
    'another constraint of a segment',
    [{ action: 'updateSegment', feature: null, payload: { id: 4, name: 'beta', constraints } }],
    true,
  ],
  ['targeting', 'a new title', [edit({ title: 'New' })], false],
  ['switches', 'switching a flag on or off', switched(false), true],
  ['switches', 'switching it off and on again', switched(false, true), false],
  ['switches', 'deleting the last active strategy of a flag that is on', [on('deleteStrategy', { id: 's1' })], true],
  ['agents', 'all changes are by people', rollout(21), false],
  ['agents', 'one change is by an agent', rollout(21, 22), true],
  ['prices', 'a variant of `price-page` from 500 to 600 of 1,000', variants('price-page', { weight: 600 }), false],
  ['prices', 'a variant of `price-page` from 500 to 700', variants('price-page', { weight: 700 }), true],
  [
    'prices',
    'another payload of a variant',
    variants('price-page', { payload: { type: 'string', value: '8 €' } }),
    true,
  ],
  ['prices', 'the same of `checkout`', variants('checkout', { weight: 700 }), false],
]

describe('the rules of the guide', () => {
  it('are valid', () => {
    expect(rules.size).toBe(6)
    expect(problemInRules([...rules.values()], { hasFlags: true })).toBe(undefined)
  })

  it.each(rows)('%s: %s', (constant, request, changes, needsMore) => {
    const stored = changes.map((one, index): Change => change(index + 1, { ...one, ...baseOf(one, state, hashOf) }))
    const agent = { ...personOf('ann'), kind: 'agent' as const }
    const last = stored.at(-1) as Change
    const byAgent = request.includes('agent') ? [...stored.slice(0, -1), { ...last, createdBy: agent }] : stored
    const current = changeRequest({ changes: byAgent })
    const rule = rules.get(constant) as ApprovalRule
    const placed = rulesIn([{ ...rule, environment: 'production' }], current)
    const matching = matchingRules(placed, current, state)
    const needed = requirementsOf(current, { ...facts('ben'), rules: matching }).slice(1)
    const approvals = typeof rule.approvals === 'number' ? rule.approvals : 2 + rule.approvals.aboveMinimum
    expect(needed.map((one) => one.approvals)).toEqual(needsMore ? [approvals] : [])
  })

  it('have all rows of their tables here, with what they need', () => {
    const listed = [...guide.matchAll(/^\| (.*?) +\| (.*?) +\|$/gm)]
      .map(([, request, needs = '']) => [request, !needs.startsWith('the minimum')] as const)
      .filter(([request]) => rows.some((row) => row[1] === request))
    expect(listed).toEqual(rows.map(([, request, , needsMore]) => [request, needsMore]))
    const tables = guide.slice(0, guide.indexOf('## How fields')).match(/^\| (?!-)(?!Change request)/gm)
    expect(tables).toHaveLength(rows.length)
  })
})
