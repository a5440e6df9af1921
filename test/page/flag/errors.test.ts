import type { SubmittedChange } from '../../../src/generated'
import { errorsByField } from '../../../src/page/app/screens/flag/errors'
import { beginEdit } from '../../../src/page/app/screens/flag/model/edit'

const state = {
  enabled: false,
  strategies: [{ id: 'a/b', name: 'default', constraints: [], variants: [{ name: 'blue' }] }],
  variants: [{ name: 'red' }, { name: 'green' }],
  dependencies: [{ feature: 'parent' }],
}
const begun = beginEdit({ state, targets: {} })
const edit = {
  ...begun,
  own: {
    ...begun.own,
    strategies: [...state.strategies, { id: 'new 1', name: 'default' }, { id: 'new 2', name: 'x' }],
  },
}
const changes = [
  { action: 'updateEnabled', payload: { enabled: true } },
  { action: 'updateStrategy', payload: { id: 'a/b' } },
  { action: 'addStrategy', payload: { name: 'default' } },
  { action: 'addStrategy', payload: { name: 'x' } },
  { action: 'patchVariant', payload: { variants: state.variants } },
  { action: 'addDependency', payload: { feature: 'parent' } },
  { action: 'startMilestone', payload: { planId: 'p' } },
  { action: 'archiveFeature' },
] as unknown as readonly SubmittedChange[]

it.each([
  ['/body/changes/0/payload/enabled', '/enabled'],
  ['/body/changes/1/payload/constraints/0/operator', '/strategies/a~1b/constraints/0/operator'],
  ['/body/changes/1/payload/variants/0/weight', '/strategies/a~1b/variants/blue/weight'],
  ['/body/changes/2/payload/name', '/strategies/new 1/name'],
  ['/body/changes/3/payload/name', '/strategies/new 2/name'],
  ['/body/changes/4/payload/variants/1/weight', '/variants/green/weight'],
  ['/body/5/payload/enabled', '/dependencies/parent/enabled'],
  ['/body/changes/6/payload/planId', '/others/0/planId'],
  ['/body/changes/7/feature', '/archived/feature'],
  ['/elsewhere', '/elsewhere'],
])('a message about %s is at the field %s', (path, field) => {
  expect([...errorsByField([{ message: 'It is wrong.', path }], changes, edit)]).toEqual([[field, 'It is wrong.']])
})

it.each([
  ['/body/payload/constraints/0/operator', '/strategies/a~1b/constraints/0/operator'],
  ['/payload/title', '/strategies/a~1b/title'],
  ['operator', 'operator'],
])('a message about %s of a single change is at the field %s', (path, field) => {
  const single = changes.slice(1, 2)
  expect([...errorsByField([{ message: 'It is wrong.', path }], single, edit).keys()]).toEqual([field])
})
