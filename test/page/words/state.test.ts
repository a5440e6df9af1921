import { titleOf } from '../../../src/page/app/words/effects/effects'
import { stateWords } from '../../../src/page/app/words/effects/state'
import { textOf } from '../../../src/page/app/words/spans'

const rollout = (share: string, more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: share },
  ...more,
})

it.each<[words: string, state: object]>([
  ['archived', { archived: true, enabled: true }],
  ['off', { enabled: false, strategies: [rollout('65')] }],
  ['on', { enabled: true }],
  ['on for everybody', { enabled: true, strategies: [] }],
  ['on for everybody', { enabled: true, strategies: [rollout('65', { disabled: true })] }],
  ['on for everybody', { enabled: true, strategies: [rollout('65'), rollout('100')] }],
  ['on, 65 % of everybody', { enabled: true, strategies: [rollout('65'), rollout('10', { disabled: true })] }],
  ['on, 65 % of users in segment “Beta”', { enabled: true, strategies: [rollout('65', { segments: [4] })] }],
  ['on, users by id: ann', { enabled: true, strategies: [{ name: 'userWithId', parameters: { userIds: 'ann' } }] }],
  ['on, 2 strategies', { enabled: true, strategies: [rollout('65'), rollout('10')] }],
])('the state of a flag in words: %s', (words, state) => {
  expect(textOf(stateWords(state as never, { 4: 'Beta' })).toLowerCase()).toBe(words.toLowerCase())
})

describe('the title of a proposal', () => {
  const change = {
    id: 1,
    feature: null,
    action: 'archiveFeature',
    payload: {},
    before: null,
    after: null,
    fields: [],
    conflict: null,
  }
  const target = (name: string) => ({ name, changes: [change], implied: undefined })
  const titled = (...names: string[]) => titleOf(names.map(target))

  it('states what changes in which flag', () => {
    expect(titled('checkout', 'search')).toBe(
      'checkout: archived in all environments; search: archived in all environments',
    )
    expect(titled()).toBe('')
  })

  it('is at most 200 characters long, and splits none of two parts', () => {
    for (const length of [190, 199, 200, 300]) {
      const title = titled('😀'.repeat(length / 2))
      expect(title.length).toBeLessThanOrEqual(200)
      expect(() => encodeURIComponent(title)).not.toThrow()
      expect(title).toMatch(/…$/)
    }
  })
})
