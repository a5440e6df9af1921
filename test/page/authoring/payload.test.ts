import { listActions } from '../../../src/capabilities/authoring/actions'
import {
  actionWords,
  changedOnly,
  choicesOf,
  defaultPayload,
  type Offered,
  rebased,
} from '../../../src/page/app/screens/authoring/model/payload'

const all = listActions(undefined, 'url') as readonly Offered[]
const offered = (action: string) => all.find((one) => one.action === action) as Offered
const strategy = {
  id: 's1',
  name: 'flexibleRollout',
  title: '',
  disabled: false,
  constraints: [],
  parameters: { rollout: '50' },
}
const state = {
  enabled: true,
  strategies: [strategy, { ...strategy, id: 's2' }],
  variants: [{ name: 'blue', weight: 1000 }],
  releasePlans: ['plan'],
  milestones: ['first', 'second'],
  milestoneStrategies: [{ ...strategy, id: 'm1' }],
  possibleParents: ['checkout', 'payments'],
}

describe('the payload that a form begins with', () => {
  it.each(all.map(({ action }) => action))('of %s has what the schema requires', (action) => {
    const { schema } = offered(action)
    const payload = defaultPayload(offered(action), 'checkout', null)
    const { required = [] } = schema.properties?.payload ?? {}
    expect(Object.keys(payload ?? {})).toEqual(expect.arrayContaining([...required]))
    expect(JSON.stringify(payload) ?? '').not.toMatch(/strategy-1|plan-1|milestone-1/)
  })

  it('has the current values of the flag', () => {
    const begin = (action: string) => defaultPayload(offered(action), 'checkout', state)
    expect(begin('updateEnabled')).toEqual({ enabled: false })
    expect(begin('updateStrategy')).toEqual({
      id: 's1',
      title: '',
      disabled: false,
      constraints: [],
      parameters: { rollout: '50' },
    })
    expect(begin('deleteStrategy')).toEqual({ id: 's1' })
    expect(begin('updateMilestoneStrategy')).toMatchObject({ id: 'm1' })
    expect(begin('patchVariant')).toEqual({ variants: state.variants })
    expect(begin('reorderStrategy')).toEqual([
      { id: 's1', sortOrder: 0 },
      { id: 's2', sortOrder: 1 },
    ])
    expect(begin('startMilestone')).toEqual({ planId: 'plan', milestoneId: 'first' })
    expect(begin('addDependency')).toMatchObject({ feature: 'payments' })
  })
})

describe('an update', () => {
  it('is about what it alters alone', () => {
    const payload = { id: 's1', title: '', parameters: { rollout: '60' } }
    expect(changedOnly(offered('updateStrategy'), state, payload)).toEqual({ id: 's1', parameters: { rollout: '60' } })
    expect(changedOnly(offered('addStrategy'), state, payload)).toEqual(payload)
  })
})

describe('a flag that changes while one types', () => {
  it('keeps what was typed, and gives the rest', () => {
    const moved = { strategies: [{ ...strategy, disabled: true, parameters: { rollout: '60' } }] }
    const payload = { id: 's1', title: 'Half', disabled: false, constraints: [], parameters: { rollout: '50' } }
    expect(rebased(offered('updateStrategy'), payload, state, moved)).toEqual({
      id: 's1',
      title: 'Half',
      disabled: true,
      constraints: [],
      parameters: { rollout: '60' },
    })
    expect(rebased(offered('addStrategy'), payload, state, moved)).toEqual(payload)
  })
})

it('an action is called what its schema says', () => {
  expect(actionWords(offered('addStrategy'))).toBe('Adds a strategy to a flag')
  expect(actionWords(offered('archiveFeature'))).toBe('Archives a flag (all environments)')
})

it('ids are offered from the flag', () => {
  expect(choicesOf('deleteStrategy', 'id', state)).toEqual(['s1', 's2'])
  expect(choicesOf('startMilestone', 'milestoneId', state)).toEqual(['first', 'second'])
  expect(choicesOf('deleteSegment', 'id', state)).toEqual([])
  expect(choicesOf('updateStrategy', 'title', state)).toEqual([])
})
