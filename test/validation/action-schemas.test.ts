import { compileActionSchemas } from '../../src/validation/core/action-schemas'

type Given = Parameters<typeof compileActionSchemas>[1]

/** The schema of a change that disables a flag. */
const closed = (payload: object = { properties: { enabled: { const: false } } }, more: object = {}) => ({
  type: 'object',
  properties: { payload: { type: 'object', additionalProperties: false, ...payload } },
  ...more,
})

const compile = (given: object, warn: (...warned: string[]) => void = () => undefined) =>
  compileActionSchemas('createChangeRequestRouter', given as Given, warn)

describe('the schemas of flags.actions', () => {
  it.each([
    ['no JSON Schema', { type: 'objekt' }, /a JSON Schema 2020-12: /],
    ['an unknown keyword', closed({}, { requird: ['payload'] }), /a JSON Schema 2020-12: .*requird/],
    ['an invalid pattern', closed({ properties: { enabled: { pattern: '(' } } }), /a JSON Schema 2020-12: /],
    ['no payload', { type: 'object' }, /a schema whose payload has additionalProperties: false/],
    ['an open payload', { properties: { payload: { type: 'object' } } }, /additionalProperties: false/],
    ['a reference to another schema', closed({ $ref: 'https://example.com/x.json' }), /refers only to parts of itself/],
    ['a reference to nothing', closed({ $ref: '#/$defs/gone' }), /refers only to parts of itself/],
    [
      'a circular reference',
      closed({}, { $defs: { a: { $ref: '#/$defs/a' } }, anyOf: [{ $ref: '#/$defs/a' }] }),
      /contain itself/,
    ],
  ])('are rejected with the name of the action: %s', (_name, schema, message) => {
    expect(() => compile({ updateEnabled: schema })).toThrow(TypeError)
    expect(() => compile({ updateEnabled: schema })).toThrow(
      'createChangeRequestRouter: option "flags.actions.updateEnabled" must be ',
    )
    expect(() => compile({ updateEnabled: schema })).toThrow(message)
  })

  it('permit an action without a payload, and one with a list', () => {
    const list = { type: 'object', properties: { payload: { type: 'array', maxItems: 2 } } }
    expect([...compile({ archiveFeature: { type: 'object' }, reorderStrategy: list }).keys()]).toEqual([
      ...['archiveFeature', 'reorderStrategy'],
    ])
  })

  it('are served without references', () => {
    const schema = closed(
      { properties: { enabled: { $ref: '#/$defs/off', title: 'Off' } } },
      { $defs: { off: { const: false } } },
    )
    const { schema: served } = compile({ updateEnabled: schema }).get('updateEnabled') ?? {}
    expect(served).toEqual(closed({ properties: { enabled: { const: false, title: 'Off' } } }))
  })

  it('hold in addition to what they refer to', () => {
    const few = { type: 'string', title: 'Few', maxLength: 5 }
    const text = { $ref: '#/$defs/few', title: 'Text', maxLength: 9 }
    const { schema, problemOf } =
      compile({ updateEnabled: closed({ properties: { text } }, { $defs: { few } }) }).get('updateEnabled') ?? {}
    expect(schema).toEqual(closed({ properties: { text: { title: 'Text', maxLength: 9, allOf: [few] } } }))
    expect(problemOf?.({ payload: { text: '123456' } }, [])).toMatchObject({ path: '/payload/text' })
  })

  it('name the first problem of a change, with its path', () => {
    const { problemOf } =
      compile({ updateEnabled: closed({ properties: { enabled: { enum: [false] } } }) }).get('updateEnabled') ?? {}
    expect(problemOf?.({ payload: { enabled: false } }, ['body', 3])).toBeUndefined()
    expect(problemOf?.({ payload: { enabled: false, more: 1 } }, ['body', 3])).toEqual({
      ...{ path: '/body/3/payload/more', message: 'more is not allowed there' },
    })
  })

  it('warn of a pattern that takes exponential time, and of no other', () => {
    const warned: unknown[] = []
    const patterns = {
      a: { pattern: '^(x+)+$' },
      b: { pattern: '^[a-z-]{1,100}$' },
      c: { examples: [{ pattern: '(' }] },
    }
    compile({ updateEnabled: closed({ properties: patterns }) }, (...given) => warned.push(given))
    expect(warned).toEqual([['updateEnabled', '^(x+)+$']])
  })
})
