import { toInverses } from '../../../src/page/app/words/content/inverses'
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
const change = (id: number, action: string, before: object | null, after: object, ...fields: object[]) =>
  ({ id, action, feature: 'checkout', conflict: null, before, after, fields }) as ReviewChangeLike

const reviewed = [
  change(1, 'updateStrategy', strategy('25'), strategy('50'), field('/parameters/rollout', '25', '25', '50')),
  change(2, 'updateStrategy', strategy('50'), strategy('75'), field('/parameters/rollout', '25', '50', '75')),
  change(3, 'addStrategy', null, { name: 'default', title: 'Oslo first' }, field('/name', null, null, 'default')),
  change(4, 'updateEnabled', { enabled: false }, { enabled: true }, field('/enabled', false, false, true)),
]
const payloads = [rollout('50'), rollout('75'), { name: 'default', title: 'Oslo first' }, { enabled: true }]
const changes = reviewed.map(({ id, action }, index) => ({ id, action, payload: payloads[index] as object }))

/** What was applied, as the review shows it. */
const applied = toTargets(reviewed, { features: [{ name: 'checkout', changes }], segments: [] }).flatMap(
  (target) => target.changes,
)

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

  it('is described alone if the reverted change is unknown', () => {
    const [target] = toInverses([{ action: 'updateEnabled', feature: 'other', payload: { enabled: true } }], applied)
    expect(textOf(effectWords(target?.changes ?? []))).toBe('on')
  })
})
