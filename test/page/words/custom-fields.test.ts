import type { CustomFieldsSchemaView } from '../../../src/generated'
import { comparedFields } from '../../../src/page/app/words/custom-fields'
import { textOf } from '../../../src/page/app/words/spans'
import { emptyRequired, typedOf, valuesOf } from '../../../src/page/app/words/typed-fields'

const schema: CustomFieldsSchemaView = {
  type: 'object',
  properties: {
    ticket: { type: 'string', title: 'Ticket', maxLength: 20 },
    risk: { type: 'string', maxLength: 10, enum: ['low', 'high'], default: 'low' },
    points: { type: 'number', default: 0 },
    tested: { type: 'boolean' },
    constructor: { type: 'string', maxLength: 10 },
  } as unknown as CustomFieldsSchemaView['properties'],
  required: ['ticket', 'points', 'tested', 'constructor'],
  additionalProperties: false,
}

describe('custom fields', () => {
  it('begin with the defaults, or with the values once any is set', () => {
    expect(typedOf(schema)).toEqual({ ticket: '', risk: 'low', points: '0', tested: '', constructor: '' })
    const typed = { ticket: 'A', risk: '', points: '', tested: 'false', constructor: '' }
    expect(typedOf(schema, { ticket: 'A', tested: false })).toEqual(typed)
  })

  it('are sent by their types, without those that are empty', () => {
    const typed = { ticket: ' A ', risk: '', points: '7.5', tested: 'false', constructor: 'x' }
    expect(valuesOf(schema, typed)).toEqual({ ticket: 'A', points: 7.5, tested: false, constructor: 'x' })
    expect(valuesOf(schema, { ...typed, points: 'many' }).points).toBe('many')
    expect(emptyRequired(schema, { ...typed, ticket: ' ', constructor: '' })).toEqual(['ticket', 'constructor'])
  })

  it('are compared by name', () => {
    const of = (values: object) => ({ schema, values: values as Record<string, string> })
    const words = (one: object, other: object) => textOf(comparedFields(of(one), of(other)))
    expect(words({ ticket: 'A', risk: 'low' }, { risk: 'low', ticket: 'B', tested: true })).toBe(
      'Ticket A → B, tested no value → Yes',
    )
    expect(words({ ticket: 'A' }, {})).toBe('Ticket A → no value')
    expect(comparedFields(null, of({ ticket: 'A' }))).toEqual([])
    expect(words({}, { constructor: 'x' })).toBe('constructor no value → x')
  })
})
