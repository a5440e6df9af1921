import fc from 'fast-check'
import { fieldsBetween } from '../../../src/page/app/words/fields/compared'
import { rowsOf } from '../../../src/page/app/words/fields/rows'
import type { JsonObject } from '../../../src/page/app/words/json'
import { textOf } from '../../../src/page/app/words/spans'
import { random } from '../../support/random'

const text = fc.constantFrom('', 'NO', 'SE', 'a,b', 'none', 'empty', 'everybody', 'Blue', 'blue', '0', 'on')
const texts = fc.uniqueArray(text, { maxLength: 4 })
const constraint = fc.record(
  {
    contextName: fc.constantFrom('country', 'Country', 'email'),
    operator: fc.constantFrom('IN', 'NUM_GT', 'STR_CONTAINS'),
    inverted: fc.boolean(),
    caseInsensitive: fc.boolean(),
    values: texts,
    value: fc.constantFrom('NO', '5', 'empty'),
  },
  { requiredKeys: ['contextName', 'operator'] },
)
const variant = fc.record(
  {
    name: text,
    weight: fc.nat(1000),
    weightType: fc.constantFrom('fix', 'variable'),
    stickiness: fc.constantFrom('default', 'random'),
    payload: fc.record({ type: fc.constantFrom('string', 'json'), value: text }),
  },
  { requiredKeys: ['name', 'weight'] },
)
const strategy = fc.record(
  {
    name: fc.constantFrom('default', 'flexibleRollout', 'userWithId', 'gradualRolloutUserId', 'MyStrategy'),
    title: text,
    disabled: fc.boolean(),
    parameters: fc.record(
      {
        rollout: fc.constantFrom('0', '50', '100', '175', ''),
        percentage: text,
        userIds: fc.constantFrom('NO', 'NO, SE', 'none'),
        Region: fc.constantFrom('none', 'EU'),
      },
      { requiredKeys: [] },
    ),
    constraints: fc.array(constraint, { maxLength: 3 }),
    segments: fc.uniqueArray(fc.constantFrom(1, 2, 3)),
    variants: fc.array(variant, { maxLength: 3 }),
  },
  { requiredKeys: ['name', 'parameters', 'constraints', 'segments', 'variants'] },
)

describe('the words for any two versions of a strategy', () => {
  const changeOf = (before: JsonObject, after: JsonObject) => {
    const fields = fieldsBetween(before, after)
    return { id: 1, action: 'updateStrategy', feature: 'f', conflict: null, payload: {}, before, after, fields }
  }

  it('have a row with two values for each field that differs', () => {
    fc.assert(
      fc.property(strategy, strategy, (before, after) => {
        const rows = rowsOf(changeOf(before, after))
        for (const row of rows) expect(textOf(row.now.words)).not.toBe(textOf(row.after.words))
        const keys = rows.map(({ key }) => key)
        for (const { path } of fieldsBetween(before, after)) {
          expect(keys).toContainEqual(expect.stringMatching(new RegExp(`^${path}(?:[ /]|$)`)))
        }
      }),
      random(300),
    )
  })
})
