import { problemInCustomFields } from '../../../src/domain/custom-fields/check-custom-fields'

const ticket = { type: 'string', maxLength: 20 }
const closed = { type: 'object', additionalProperties: false }
const option = (properties: unknown, more: object = {}, searchable?: unknown) => ({
  schema: { ...closed, properties, ...more },
  ...(searchable !== undefined && { searchable }),
})
const of = (field: unknown) => option({ ticket: field })
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, ticket]))

describe('custom fields', () => {
  it('can use every keyword, 20 fields, and the names of a prototype', () => {
    const all = {
      ticket: { ...ticket, pattern: '^a+$', enum: ['a'], format: 'uri', title: 'T', description: 'D', default: 'a' },
      points: { type: 'number', minimum: -1, maximum: 1, enum: [0.5], title: 'P', description: 'D', default: 0.5 },
      count: { type: 'integer', minimum: 1, maximum: 1 },
      tested: { type: 'boolean', title: 'T', description: 'D', default: true },
      constructor: { ...ticket, format: 'date' },
      toString: ticket,
    }
    expect(problemInCustomFields(option(all, { required: ['ticket', 'constructor'] }, 'ticket'))).toBe(undefined)
    expect(problemInCustomFields(option(fields(20), { required: [] }))).toBe(undefined)
    expect(problemInCustomFields(of({ ...ticket, maxLength: 500 }))).toBe(undefined)
  })

  it.each<[unknown, RegExp]>([
    ['none', /^must be an object with a schema$/],
    [[], /^must be an object/],
    [{ ...of(ticket), other: 1 }, /^has an unknown key "other"$/],
    [{}, /invalid schema: it must be an object$/],
    [option({ ticket }, { type: 'array' }), /: type must be "object"$/],
    [option({ ticket }, { additionalProperties: true }), /: additionalProperties must be false$/],
    [option({ ticket }, { additionalProperties: undefined }), /: additionalProperties must be false$/],
    [option({ ticket }, { minProperties: 1 }), /: unknown key "minProperties"$/],
    [option({ ticket }, { $defs: {} }), /: unknown key "\$defs"$/],
    [option([]), /: properties must be an object$/],
    [option({}), /: properties must have 1 to 20 fields$/],
    [option(fields(21)), /: properties must have 1 to 20 fields$/],
    [option(JSON.parse('{"__proto__":{"type":"boolean"}}')), /a name must .* got "__proto__"$/],
    [option({ ' ': ticket }), /a name must have 1 to 100 characters/],
    [option({ ['x'.repeat(101)]: ticket }), /a name must have 1 to 100 characters/],
    [option({ ticket }, { required: ['other'] }), /: required must be a list of properties, each once$/],
    [option({ ticket }, { required: ['ticket', 'ticket'] }), /: required must be a list/],
    [option({ ticket }, { required: ['toString'] }), /: required must be a list/],
    [option({ ticket }, { required: true }), /: required must be a list/],
    [of(null), /the field "ticket": it must be an object$/],
    [of({}), /: type must be string, number, integer or boolean$/],
    [of({ type: 'toString' }), /: type must be/],
    [of({ type: ['string'], maxLength: 1 }), /: type must be/],
    [of({ type: 'null' }), /: type must be/],
    [of({ type: 'string' }), /: maxLength must be a whole number from 1 to 500$/],
    [of({ ...ticket, maxLength: 501 }), /: maxLength must be/],
    [of({ ...ticket, maxLength: 0 }), /: maxLength must be/],
    [of({ ...ticket, maxLength: 1.5 }), /: maxLength must be/],
    [of({ ...ticket, minLength: 1 }), /: unknown key "minLength"$/],
    [of({ ...ticket, $ref: '#' }), /: unknown key "\$ref"$/],
    [of({ ...ticket, minimum: 1 }), /: unknown key "minimum"$/],
    [of({ ...ticket, pattern: '(' }), /: pattern must be a regular expression$/],
    [of({ ...ticket, pattern: /a/ }), /: pattern must be/],
    [of({ ...ticket, format: 'email' }), /: format must be "uri" or "date"$/],
    [of({ ...ticket, enum: [] }), /: enum must be a list of values of the type string$/],
    [of({ ...ticket, enum: ['a', 'a'] }), /: enum must be/],
    [of({ ...ticket, enum: [1] }), /: enum must be/],
    [of({ ...ticket, title: '' }), /: title must be a text$/],
    [of({ ...ticket, description: 1 }), /: description must be a text$/],
    [of({ type: 'boolean', enum: [true] }), /: unknown key "enum"$/],
    [of({ type: 'number', maxLength: 1 }), /: unknown key "maxLength"$/],
    [of({ type: 'number', minimum: Number.NaN }), /: minimum must be a number$/],
    [of({ type: 'number', maximum: '1' }), /: maximum must be a number$/],
    [of({ type: 'integer', minimum: 2, maximum: 1 }), /: minimum must not be above maximum$/],
    [of({ ...ticket, description: 'x'.repeat(64_000) }), /: it must have at most 64000 bytes as JSON, and has/],
    [option({ ticket: { ...ticket, maxLength: 101 } }, {}, 'ticket'), /^must have a searchable that names a string/],
    [option({ points: { type: 'number' } }, {}, 'points'), /^must have a searchable/],
    [option({ ticket }, {}, 'other'), /^must have a searchable/],
    [option({ ticket }, {}, 'toString'), /^must have a searchable/],
  ])('%j is rejected with the field and the error', (given, expected) => {
    expect(problemInCustomFields(given)).toMatch(expected)
  })
})
