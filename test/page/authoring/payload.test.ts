import { targetsOfFlag } from '../../../src/capabilities/authoring/flags'
import { listActions } from '../../../src/capabilities/authoring/routes'
import {
  actionWords,
  changedOnly,
  choicesOf,
  currentPayload,
  needsFlag,
  type Offered,
  onlyId,
  targetOf,
} from '../../../src/page/app/screens/authoring/model/payload'

const all = listActions({ actions: undefined, actionSchemas: new Map() }, 'url') as readonly Offered[]
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
  strategies: [strategy, { ...strategy, id: 's2', sortOrder: 7 }],
  variants: [{ name: 'blue', weight: 1000 }],
  releasePlans: ['plan'],
  milestones: ['first', 'second'],
  milestoneStrategies: [{ ...strategy, id: 'm1' }],
  possibleParents: ['checkout', 'payments'],
}

const segment = { name: 'Beta testers', constraints: [], project: null }

/** All texts and numbers in a value. */
const valuesIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [value]

describe('the first payload of a form', () => {
  it.each(all.map(({ action }) => action))('of %s has no value of the example in its schema', (action) => {
    const payload = currentPayload(offered(action), undefined, '')
    expect(valuesIn(payload).filter((value) => typeof value !== 'boolean')).toEqual([])
    const { payload: example } = (offered(action).schema as { examples: { payload?: unknown }[] }).examples[0] ?? {}
    const own = new Set(valuesIn([state, segment, 's1']))
    const exampleValues = valuesIn(example).filter((value) => typeof value === 'string' && !own.has(value))
    const filled = valuesIn(currentPayload(offered(action), needsFlag(offered(action)) ? state : segment, 's1'))
    expect(filled.filter((value) => exampleValues.includes(value))).toEqual([])
    expect(filled.filter((value) => typeof value === 'string' && !own.has(value))).toEqual([])
  })

  it('has the current values of the flag or segment', () => {
    const begin = (action: string, id = '') => currentPayload(offered(action), state, id)
    const { name: _, ...current } = strategy
    expect(begin('updateEnabled')).toEqual({ enabled: true })
    expect(begin('updateStrategy', 's1')).toEqual(current)
    expect(begin('updateStrategy', 'gone')).toEqual({ id: 'gone' })
    expect(begin('updateMilestoneStrategy', 'm1')).toEqual({ ...current, id: 'm1' })
    expect(begin('patchVariant')).toEqual({ variants: state.variants })
    expect(begin('reorderStrategy')).toEqual([
      { id: 's1', sortOrder: 0 },
      { id: 's2', sortOrder: 7 },
    ])
    expect(begin('addDependency')).toEqual({})
    expect(begin('addStrategy')).toEqual({ constraints: [], parameters: {} })
    expect(currentPayload(offered('updateSegment'), segment, '4')).toEqual({ ...segment, id: '4' })
  })

  it('has no list that would remove unknown values', () => {
    expect(currentPayload(offered('patchVariant'), { enabled: true }, '')).toEqual({})
    expect(currentPayload(offered('updateSegment'), null, '4')).toEqual({ id: '4' })
  })

  it('names the only possible strategy', () => {
    expect(onlyId('updateMilestoneStrategy', state)).toBe('m1')
    expect(onlyId('updateStrategy', state)).toBe('')
  })
})

describe('an update', () => {
  it('has only what it changes, compared by meaning', () => {
    const values = (...values: string[]) => [{ contextName: 'country', operator: 'IN', values }]
    const current = { id: 's1', disabled: false, constraints: values('NO', 'SE'), parameters: { rollout: '50' } }
    const payload = { id: 's1', title: '', constraints: values('SE', 'NO'), parameters: { rollout: '60' } }
    expect(changedOnly(offered('updateStrategy'), current, payload)).toEqual({
      id: 's1',
      parameters: { rollout: '60' },
    })
    expect(changedOnly(offered('addStrategy'), {}, payload)).toEqual(payload)
  })
})

describe('the part that a change is about', () => {
  const flags = {
    features: new Map([['checkout', { archived: false, dependencies: [], ...state }]]),
    segments: new Map(),
  }
  const digests = { ...targetsOfFlag('checkout', flags as never), segment: 'of the segment' }

  it.each([
    ['updateEnabled', { enabled: false, shouldActivateDisabledStrategies: true }, 'enabled'],
    ['updateEnabled', { enabled: true, shouldActivateDisabledStrategies: true }, 'activation'],
    ['updateStrategy', { id: 's1' }, 's1'],
    ['deleteStrategy', { id: 's2' }, 's2'],
    ['updateMilestoneStrategy', { id: 'm1' }, 'm1'],
    ['patchVariant', { variants: [] }, 'variants'],
    ['reorderStrategy', [], 'order'],
    ['addDependency', { feature: 'payments' }, 'dependencies'],
    ['deleteDependency', {}, 'dependencies'],
    ['updateSegment', { id: 4 }, 'segment'],
    ['deleteSegment', { id: 4 }, 'segment'],
  ])('of %s %j is %s', (action, payload, name) => {
    expect(targetOf(action, payload)).toBe(name)
    expect(Object.keys(digests)).toContain(name)
  })

  it('has no digest for an added part, and for a strategy with the id of another part', () => {
    expect(targetOf('addStrategy', { name: 'default' })).toBeUndefined()
    expect(targetOf('updateStrategy', { id: 'order' })).toBeUndefined()
  })
})

it('an action has the title of its schema', () => {
  expect(actionWords(offered('addStrategy'))).toBe('Adds a strategy to a flag')
  expect(actionWords(offered('archiveFeature'))).toBe('Archives a flag (all environments)')
})

it('ids of the flag are suggested', () => {
  expect(choicesOf('deleteStrategy', 'id', state)).toEqual(['s1', 's2'])
  expect(choicesOf('startMilestone', 'milestoneId', state)).toEqual(['first', 'second'])
  expect(choicesOf('deleteSegment', 'id', state)).toEqual([])
  expect(choicesOf('updateStrategy', 'title', state)).toEqual([])
})
