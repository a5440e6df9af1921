import { toInverses } from '../../../src/page/app/screens/request/dialogs/revert/inverses'
import { toTargets } from '../../../src/page/app/words/content/items'
import { effectWords } from '../../../src/page/app/words/effects/effects'
import { textOf } from '../../../src/page/app/words/spans'

const rollout = (to: string) => ({ id: 's1', parameters: { rollout: to } })
const strategy = (now: string) => ({
  id: 's1',
  name: 'flexibleRollout',
  title: 'Nordics',
  parameters: { rollout: now },
})

/** What was applied, each with the state before it. */
const applied = toTargets([], {
  features: [
    {
      name: 'checkout',
      changes: [
        { id: 1, action: 'updateStrategy', payload: { ...rollout('50'), snapshot: strategy('25') } },
        { id: 2, action: 'updateStrategy', payload: { ...rollout('75'), snapshot: strategy('50') } },
        { id: 3, action: 'addStrategy', payload: { name: 'default', title: 'Oslo first', snapshot: null } },
        { id: 4, action: 'updateEnabled', payload: { enabled: true, snapshot: { enabled: false } } },
      ],
    },
  ],
  segments: [],
}).flatMap(({ changes }) => changes)

describe('what takes changes back', () => {
  it('says from what they made to what was there, the last one first', () => {
    const inverses = [
      { action: 'updateEnabled', feature: 'checkout', payload: { enabled: false } },
      { action: 'deleteStrategy', feature: 'checkout', payload: { id: 's9' } },
      { action: 'updateStrategy', feature: 'checkout', payload: rollout('50') },
      { action: 'updateStrategy', feature: 'checkout', payload: rollout('25') },
    ]
    const words = toInverses(inverses, applied).map(({ name, changes }) => `${name} ${textOf(effectWords(changes))}`)
    expect(words.map((one) => one.replaceAll('\u00a0', ' '))).toEqual([
      'checkout on → off for everybody',
      'checkout strategy “Oslo first” deleted',
      'checkout 75 % → 50 % of everybody, 25 points down',
      'checkout 50 % → 25 % of everybody, 25 points down',
    ])
  })

  it('is told by itself where nobody knows what it takes back', () => {
    const [target] = toInverses([{ action: 'updateEnabled', feature: 'other', payload: { enabled: true } }], applied)
    expect(textOf(effectWords(target?.changes ?? []))).toBe('on')
  })
})
