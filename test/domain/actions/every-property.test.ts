import { allActions } from '../../../src/domain/actions/table'
import { keepingStore } from '../../support/every-property/keeping-store'
import { testEveryProperty } from '../../support/every-property/suite'

const strategy = (id: string, sortOrder: number, disabled: boolean) => ({
  id,
  name: 'default',
  disabled,
  sortOrder,
  title: null,
  constraints: [],
  parameters: {},
  segments: [],
  variants: [],
})

describe('everything that an apply changes in a store that keeps unknown properties is in the diff, bound by the digest and reverted', () => {
  testEveryProperty(
    allActions,
    async (action) => ({
      store: keepingStore({
        strategies: ['s1', 's2'].map((id, index) => strategy(id, index, action === 'updateEnabled')),
        variants: [],
        segments: {
          4: { name: 'beta', description: null, project: 'shop', constraints: [] },
          5: { name: 'alpha', description: null, project: 'shop', constraints: [] },
        },
      }),
      feature: 'checkout',
      names: {
        id: action.endsWith('Segment') ? [4, 5] : ['s1', 's2'],
        'segments/': [4, 5],
        planId: ['p1', 'p2'],
        milestoneId: ['m1', 'm2'],
        sourceMilestone: ['m1', 'm2'],
      },
    }),
    [],
  )
})
