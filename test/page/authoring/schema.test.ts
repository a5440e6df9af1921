import {
  blankOf,
  controlOf,
  fits,
  isLines,
  labelOf,
  linesOf,
  merged,
  optionsOf,
  type Schema,
  toSent,
} from '../../../src/page/app/screens/authoring/model/schema'

const constraint: Schema = {
  type: 'object',
  properties: {
    contextName: { type: 'string' },
    operator: { type: 'string', enum: ['IN', 'NOT_IN'] },
    values: { type: 'array', items: { type: 'string' } },
  },
  required: ['contextName', 'operator'],
}
const strategy: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    title: { type: ['string', 'null'] },
    comment: { type: 'string' },
    sortOrder: { type: 'number' },
    segments: { type: 'array', items: { type: 'number' } },
    constraints: { type: 'array', items: constraint },
    parameters: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['id'],
}

describe('the control for a value', () => {
  it.each<[Schema, string]>([
    [{ type: 'string', enum: ['a'] }, 'choice'],
    [
      {
        anyOf: [{ type: 'string', enum: ['a'] }, { type: 'string' }],
      },
      'choice',
    ],
    [{ type: ['boolean', 'null'] }, 'switch'],
    [{ type: 'integer' }, 'text'],
    [{ type: 'array', items: { type: 'number' } }, 'lines'],
    [{ type: 'array', items: constraint }, 'list'],
    [strategy, 'object'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map'],
    [{ type: ['object', 'null'], additionalProperties: true }, 'json'],
    [{}, 'json'],
  ])('of %j is %s', (schema, control) => {
    expect(controlOf(schema)).toBe(control)
  })
})

describe('the options of a choice', () => {
  it('are its values, none, and the current one', () => {
    const operator = {
      anyOf: [{ type: 'string', enum: ['IN', 'NOT_IN'] }, { type: 'string' }],
    }
    expect(optionsOf(operator, 'IN')).toEqual(['', 'IN', 'NOT_IN'])
    expect(optionsOf(operator, 'PLAN_AT_LEAST')).toEqual(['', 'IN', 'NOT_IN', 'PLAN_AT_LEAST'])
  })
})

describe('a new item', () => {
  it('has the required lists and objects, and no value', () => {
    expect(blankOf(constraint)).toEqual({})
    expect(blankOf({ ...strategy, required: ['id', 'constraints', 'parameters'] })).toEqual({
      constraints: [],
      parameters: {},
    })
  })
})

describe('writes', () => {
  it('has numbers, texts as parameters, no blank lines, and no empty optional values', () => {
    const typed = {
      id: '',
      title: '',
      comment: '',
      sortOrder: '2',
      segments: linesOf({ type: 'number' }, '1\n\n7\n'),
      constraints: [{ contextName: 'country', operator: 'IN', values: ['NO', ''] }],
      strategyGroup: '5',
      parameters: { rollout: '5', seed: 7 },
    }
    expect(toSent(strategy, typed)).toEqual({
      id: '',
      title: null,
      sortOrder: 2,
      segments: [1, 7],
      // The store has an empty value.
      constraints: [{ contextName: 'country', operator: 'IN', values: ['NO', ''] }],
      // The schema does not name it.
      strategyGroup: '5',
      parameters: { rollout: '5', seed: '7' },
    })
  })

  it('is the text if it is neither a number nor JSON', () => {
    for (const text of ['many', 'Infinity', '9007199254740993']) expect(toSent({ type: 'number' }, text)).toBe(text)
    expect(toSent({}, '{"id": 1')).toBe('{"id": 1')
    expect(toSent({}, '{"id": 1}')).toEqual({ id: 1 })
  })
})

describe('a value with one text per line', () => {
  it.each([
    [undefined, true],
    [['NO', 'SE'], true],
    [[1, 7], true],
    [['NO', ''], false],
    [['two\nlines'], false],
    ['NO', false],
  ])('%j: %s', (value, isOne) => {
    expect(isLines(value)).toBe(isOne)
  })
})

describe('typed JSON', () => {
  it.each([
    [{ id: 's1', title: null, constraints: [{ contextName: 'country', values: ['NO'] }], other: 5 }, true],
    [undefined, true],
    ['{"id": ', false],
    [[{ id: 's1' }], false],
    [{ id: 's1', constraints: 'country' }, false],
    [{ id: 's1', constraints: [{ values: 'NO' }] }, false],
    [{ id: 's1', parameters: ['20'] }, false],
  ])('%j can be shown as a form: %s', (value, can) => {
    expect(fits(strategy, value)).toBe(can)
  })
})

describe('a schema with several parts', () => {
  it('has the properties of all parts, without deprecated ones', () => {
    const whole = merged({
      description: 'Both.',
      allOf: [strategy, { type: 'object', properties: { name: { type: 'string', deprecated: true } } }],
    })
    expect(Object.keys(whole.properties ?? {})).toEqual(Object.keys(strategy.properties ?? {}))
    expect(whole).toMatchObject({ description: 'Both.', type: 'object', required: ['id'] })
  })
})

it('names of properties are words', () => {
  expect(['groupId', 'enabled', 'shouldActivateDisabledStrategies'].map(labelOf)).toEqual([
    'Group id',
    'Enabled',
    'Should activate disabled strategies',
  ])
})
