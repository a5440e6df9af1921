import { dependencies, testActions, testInverses } from '../support/action-rows'

const is = { target: 'parents', scope: 'project', stage: 'change' } as const
const parents = { dependencies }
const common = { is, snapshot: parents, part: parents, other: [{}, parents] } as const

describe('the actions of dependencies', () => {
  testActions([
    {
      action: 'addDependency',
      payload: { feature: 'parent' },
      conflict: 'Parent feature has been archived',
      ...common,
    },
    { action: 'deleteDependency', payload: { feature: 'parent' }, ...common },
  ])
  testInverses([
    ['addDependency', { feature: 'parent' }],
    ['addDependency', { feature: 'other', enabled: false }],
    ['deleteDependency', {}],
    ['deleteDependency', { feature: 'other' }],
  ])
})
