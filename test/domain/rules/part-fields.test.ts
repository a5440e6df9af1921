import { allActions } from '../../../src/domain/actions/table'
import type { JsonValue } from '../../../src/domain/change-request'
import { escaped, namesIn } from '../../../src/domain/content/json-pointer'
import { diffOf } from '../../../src/domain/diff/diff'
import { entriesOf } from '../../../src/domain/diff/fields'
import { baseOf } from '../../../src/domain/flags/base'
import { unalterableFields } from '../../../src/domain/rules/check-condition'
import { findField, partKindOf } from '../../../src/domain/rules/part-fields'
import { hashOf } from '../../../src/kernel/digest'
import { change, changeRequest } from '../support/change-requests'
import { keepingStore } from '../support/every-property/keeping-store'
import { payloadsOf } from '../support/every-property/payloads'

const strategy = { name: 'default', disabled: true, title: null, constraints: [], parameters: {}, segments: [] }
const store = () =>
  keepingStore({
    strategies: ['s1', 's2'].map((id, sortOrder) => ({ ...strategy, id, sortOrder, variants: [] })),
    variants: [],
    segments: { 4: { name: 'beta', description: null, project: 'shop', constraints: [] } },
  })
const names = { planId: ['p1'], milestoneId: ['m1'], sourceMilestone: ['m1'], 'segments/': [4, 5] }

/** The pointers of everything inside that has a name. */
function leavesOf(value: JsonValue | undefined, path: string): readonly string[] {
  const entries = entriesOf(value)
  if (entries === undefined || entries.size === 0) return [path]
  return [...entries].flatMap(([name, inner]) => leavesOf(inner, `${path}/${escaped(name)}`))
}

describe('the fields of the parts', () => {
  it.each(allActions)('are all that %s can alter', async (action) => {
    const isSegment = action.endsWith('Segment')
    const { full } = payloadsOf(action, { ...names, id: isSegment ? [4] : ['s1', 's2'] })
    const state = await store().current()
    const proposed = { action, feature: isSegment ? null : 'checkout', payload: full }
    const current = changeRequest({ changes: [change(1, { ...proposed, ...baseOf(proposed, state, hashOf) })] })
    const altered = diffOf(current, state).flatMap(({ fields }) =>
      fields.flatMap(({ path, current, proposed }) => [...leavesOf(current, path), ...leavesOf(proposed, path)]),
    )
    expect(altered).not.toEqual([])
    expect(altered.filter((path) => findField(namesIn(path), [partKindOf({ action })]) !== 'field')).toEqual([])
  })

  it('can be altered by some of the actions', () => {
    const fields = [
      '/enabled',
      '/parameters/rollout',
      '/variants',
      '/variants/*/weight',
      '/*/blue/payload',
      '/order/s1',
      '/paramters/rollout',
    ]
    const rules = [{ name: 'all', when: { fields: fields.map((path) => ({ path })) } }, { name: 'none' }]
    const left = (...actions: typeof allActions) => unalterableFields(rules, actions).map(({ path }) => path)
    expect(left('updateEnabled')).toEqual(fields.slice(1))
    expect(left('addStrategy', 'patchVariant')).toEqual(['/enabled', '/order/s1', '/paramters/rollout'])
    expect(left(...allActions)).toEqual(['/paramters/rollout'])
    expect(unalterableFields(rules, allActions)).toEqual([{ name: 'all', path: '/paramters/rollout' }])
  })
})
