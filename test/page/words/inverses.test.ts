import { toInverses } from '../../../src/page/app/screens/request/dialogs/revert/inverses'
import { type ReviewChangeLike, toTargets } from '../../../src/page/app/words/content/items'
import { effectWords } from '../../../src/page/app/words/effects/effects'
import { textOf } from '../../../src/page/app/words/spans'

const rollout = (to: string) => ({ id: 's1', parameters: { rollout: to } })
const strategy = (now: string) => ({
  id: 's1',
  name: 'flexibleRollout',
  title: 'Nordics',
  parameters: { rollout: now },
})

const field = (path: string, base: unknown, current: unknown, proposed: unknown) => {
  return { path, base, current, proposed, overwrites: false }
}
const reviewed = (change: Pick<ReviewChangeLike, 'id' | 'action' | 'before' | 'after' | 'fields'>) => {
  return { feature: 'checkout', conflict: null, ...change }
}

/** What was applied, as the review shows it. */
const applied = toTargets(
  [
    reviewed({
      id: 1,
      action: 'updateStrategy',
      before: strategy('25'),
      after: strategy('50'),
      fields: [field('/parameters/rollout', '25', '25', '50')],
    }),
    reviewed({
      id: 2,
      action: 'updateStrategy',
      before: strategy('50'),
      after: strategy('75'),
      fields: [field('/parameters/rollout', '25', '50', '75')],
    }),
    reviewed({
      id: 3,
      action: 'addStrategy',
      before: null,
      after: { name: 'default', title: 'Oslo first' },
      fields: [field('/name', null, null, 'default'), field('/title', null, null, 'Oslo first')],
    }),
    reviewed({
      id: 4,
      action: 'updateEnabled',
      before: { enabled: false },
      after: { enabled: true },
      fields: [field('/enabled', false, false, true)],
    }),
  ],
  {
    features: [
      {
        name: 'checkout',
        changes: [
          { id: 1, action: 'updateStrategy', payload: rollout('50') },
          { id: 2, action: 'updateStrategy', payload: rollout('75') },
          { id: 3, action: 'addStrategy', payload: { name: 'default', title: 'Oslo first' } },
          { id: 4, action: 'updateEnabled', payload: { enabled: true } },
        ],
      },
    ],
    segments: [],
  },
).flatMap(({ changes }) => changes)

describe('what takes changes back', () => {
  it('says from what they made to what was there, the last one first', () => {
    const inverses = [
      { action: 'updateEnabled', feature: 'checkout', payload: { enabled: false } },
      { action: 'deleteStrategy', feature: 'checkout', payload: { id: 's9' } },
      // Both changes set the field, so one inverse restores it.
      { action: 'updateStrategy', feature: 'checkout', payload: rollout('25') },
    ]
    const words = toInverses(inverses, applied).map(({ name, changes }) => `${name} ${textOf(effectWords(changes))}`)
    expect(words.map((one) => one.replaceAll('\u00a0', ' '))).toEqual([
      'checkout on → off for everybody',
      'checkout strategy “Oslo first” deleted',
      'checkout 75 % → 25 % of everybody, 50 points down',
    ])
  })

  it('is told by itself where nobody knows what it takes back', () => {
    const [target] = toInverses([{ action: 'updateEnabled', feature: 'other', payload: { enabled: true } }], applied)
    expect(textOf(effectWords(target?.changes ?? []))).toBe('on')
  })
})
