import type { JsonValue } from '../../../src/domain/change-request'
import { compareFields } from '../../../src/domain/diff/fields'
import { listOverwrites } from '../../../src/domain/diff/overwrites'
import { change } from '../support/change-requests'

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `user-${from + index}`)
const constraint = (values: readonly string[], rest: object = {}) => ({
  contextName: 'country',
  operator: 'IN',
  values: [...values],
  ...rest,
})
const region = { contextName: 'region', operator: 'IN', values: ['r'] }
const strategy = (title: string) => ({ id: title, name: 'default', title })

/** The sentences for a strategy that another user and the change altered. */
function sentences(base: object, current: object, proposed: object): readonly string[] {
  const [was, is, becomes] = [base, current, proposed] as [JsonValue, JsonValue, JsonValue]
  const altering = change(1, { action: 'updateStrategy', payload: { id: 's1' }, base: { title: 'half' } })
  return listOverwrites({ changes: [altering] }, new Map([[1, compareFields(was, is, becomes)]]))
}

describe('the values of an overwrite', () => {
  it.each<[string, object, object, object, string]>([
    [
      'percentages',
      { parameters: { rollout: '100' } },
      { parameters: { rollout: 70 } },
      { parameters: { rollout: '2.5' } },
      'the rollout of “half” of checkout was 100 %, is 70 % now, and would become “2.5”',
    ],
    [
      'texts that are no percentage',
      { parameters: { rollout: '175' } },
      { parameters: { rollout: '75%' } },
      { parameters: { rollout: '' } },
      'the rollout of “half” of checkout was “175”, is “75%” now, and would become empty',
    ],
    [
      'switches',
      { disabled: false },
      { disabled: true },
      { disabled: false },
      'the state of “half” of checkout was on, is off now, and would become on',
    ],
    [
      'what is absent or null',
      { title: 'a' },
      {},
      { title: 'b "c"' },
      'the title of “half” of checkout was “a”, is none now, and would become “b "c"”',
    ],
    [
      'segments',
      { segments: [] },
      { segments: [4] },
      { segments: [4, 7] },
      'the segments of “half” of checkout were none, are 4 now, and would become 4, 7',
    ],
    [
      'long lists by what the others lack',
      { parameters: { userIds: ids(1, 5000).join() } },
      { parameters: { userIds: ids(1, 5001).join(', ') } },
      { parameters: { userIds: 'ann' } },
      'the users of “half” of checkout were 5,000 users (with “user-1”, “user-2”, “user-3” and 4,997 more), are 5,001 users ' +
        '(with “user-1”, “user-2”, “user-3” and 4,998 more) now, and would become “ann”',
    ],
    [
      'constraints',
      { constraints: [constraint(['NO'])] },
      { constraints: [constraint(['NO', 'SE'], { inverted: true })] },
      { constraints: [] },
      'the constraints of “half” of checkout were country IN “NO”, are country NOT IN “NO”, “SE” now, and would become none',
    ],
    [
      'long constraints by what the others lack',
      { constraints: [constraint(ids(1, 5000))] },
      { constraints: [constraint([...ids(2, 5000), 'x'])] },
      { constraints: [constraint(ids(1, 4999))] },
      'the constraints of “half” of checkout were country IN 5,000 values (with “user-1”, “user-5000”), ' +
        'are country IN 5,000 values (with “user-5000”, “x”) now, and would become country IN 4,999 values (with “user-1”)',
    ],
    [
      'constraints with what their operators ignore',
      { constraints: [{ contextName: 'age', operator: 'NUM_GT', value: '5', values: ['x'] }] },
      { constraints: [constraint(['NO'], { value: 'SE' })] },
      { constraints: [{ contextName: 'age', operator: 'NEAR', value: '5', values: ['x'] }] },
      'the constraints of “half” of checkout were age NUM_GT “5” (ignored: “x”), ' +
        'are country IN “NO” (ignored: “SE”) now, and would become age NEAR “x”, “5”',
    ],
    [
      'no empty property as ignored',
      { constraints: [{ contextName: 'age', operator: 'NUM_GT', value: '5', values: [] }] },
      { constraints: [constraint(['NO'], { value: '', caseInsensitive: true })] },
      { constraints: [] },
      'the constraints of “half” of checkout were age NUM_GT “5”, are country IN “NO” in any case now, and would become none',
    ],
    [
      'constraints by what others of the same field and operator lack',
      { constraints: [constraint(ids(1, 5000)), region, constraint(['a'], { operator: 'NOT_IN' })] },
      { constraints: [constraint([...ids(2, 5000), 'x']), region, constraint(['a'], { operator: 'NOT_IN' })] },
      { constraints: [region] },
      'the constraints of “half” of checkout were country IN 5,000 values (with “user-1”), region IN “r”, country NOT_IN “a”, ' +
        'are country IN 5,000 values (with “x”), region IN “r”, country NOT_IN “a” now, and would become region IN “r”',
    ],
    [
      'at most three elements that others lack',
      { parameters: { userIds: ids(1, 7).join() } },
      { parameters: { userIds: ids(4, 10).join() } },
      { parameters: { userIds: ids(4, 7).join() } },
      'the users of “half” of checkout were 7 users (with “user-1”, “user-2”, “user-3”), are 7 users ' +
        '(with “user-8”, “user-9”, “user-10”) now, and would become 4 users',
    ],
    [
      'lists in the plural, also if some versions have none',
      { segments: [4, 5, 6] },
      {},
      { segments: [7] },
      'the segments of “half” of checkout were 4, 5, 6, are none now, and would become 7',
    ],
    [
      'strategies by title',
      { strategies: [strategy('a'), { id: 's2', name: ' ' }] },
      { strategies: [1, 2] },
      { strategies: [] },
      'the strategies of “half” of checkout were “a”, “s2”, are 1, 2 now, and would become none',
    ],
  ])('shows %s', (_, base, current, proposed, sentence) => {
    expect(sentences(base, current, proposed)).toEqual([sentence])
  })

  it.each([
    ['impressionData', true, 'on'],
    ['impressionData', false, 'off'],
    ['weight', 500, '50 %'],
    ['weight', '500', '“500”'],
    ['rollout', '50', '50 %'],
    ['rolloutGroup', '50', '“50”'],
    ['prerollout', '50', '“50”'],
    ['title', 'a'.repeat(98), `“${'a'.repeat(98)}”`],
  ])('shows %s %j as %s', (name, value, text) => {
    expect(sentences({ [name]: value }, { [name]: null }, {})[0]).toContain(` was ${text}, is none now`)
  })

  it('writes out lists that differ in their order only', () => {
    const inOrder = (letters: string) => ({ values: [...letters] })
    expect(sentences(inOrder('abcd'), inOrder('bacd'), inOrder('dcba'))[0]).toContain(
      'were “a”, “b”, “c”, “d”, are “b”, “a”, “c”, “d” now, and would become “d”, “c”, “b”, “a”',
    )
  })

  it.each([
    ['later', `${'a'.repeat(200)}b`, `${'a'.repeat(200)}c`, `…${'a'.repeat(20)}b”`, `…${'a'.repeat(20)}c”`],
    ['at the end', 'a'.repeat(200), 'a'.repeat(201), `…${'a'.repeat(20)}”`, `…${'a'.repeat(21)}”`],
    ['early', `b${'a'.repeat(200)}`, `c${'a'.repeat(200)}`, `“b${'a'.repeat(98)}…`, `“c${'a'.repeat(98)}…`],
    ['in half a character', '😀'.repeat(99), `b${'😀'.repeat(99)}`, `“${'😀'.repeat(49)}…`, `“b${'😀'.repeat(49)}…`],
  ])('shows long texts from the first difference: %s', (_, base, theirs, was, is) => {
    expect(sentences({ title: base }, { title: theirs }, { title: null })).toEqual([
      `the title of “half” of checkout was ${was}, is ${is} now, and would become none`,
    ])
  })

  it('has a bounded length', () => {
    const long = 'x'.repeat(10_000)
    const parameters = (value: string) => ({ parameters: { [long]: value, userIds: ids(1, 2000).join(value) } })
    const constraints = (value: string) => ({
      constraints: [{ contextName: long, operator: 'IN', values: [long, value] }],
    })
    for (const part of [parameters, constraints]) {
      const found = sentences(part('a'), part('b'), part('c'))
      expect(found.length).toBeGreaterThan(0)
      for (const sentence of found) expect(sentence.length).toBeLessThan(500)
    }
  })
})
