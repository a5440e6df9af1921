import fc from 'fast-check'
import { createChangeRequestRouter, memoryStorage } from '../../src'
import type { CustomFields } from '../../src/domain/custom-fields/custom-fields'
import { digestOf } from '../../src/kernel/digest'
import { compileCustomFields } from '../../src/validation/core/custom-fields'
import { change, personOf } from '../domain/support/change-requests'

const compile = (properties: object, warn: Parameters<typeof compileCustomFields>[2] = () => {}) =>
  compileCustomFields(
    'router',
    { schema: { type: 'object', properties, additionalProperties: false } } as CustomFields,
    warn,
  )
const text = { type: 'string', maxLength: 500 }

/** The paths of the problems; undefined if it is accepted. */
function pathsOf(properties: object, body: unknown): (string | undefined)[] | undefined {
  try {
    compile(properties).parse(body)
    return undefined
  } catch (error) {
    return (error as { details: { path?: string }[] }).details.map(({ path }) => path)
  }
}

describe('the values of custom fields', () => {
  it.each<[object, unknown, string[] | undefined]>([
    [text, 'x'.repeat(500), undefined],
    [text, '😀'.repeat(500), undefined],
    [text, 'x'.repeat(501), ['/body/f']],
    [{ ...text, format: 'date' }, '2028-02-29', undefined],
    [{ ...text, format: 'date' }, '2027-02-29', ['/body/f']],
    [{ ...text, format: 'uri' }, 'https://a.example/b?c#d', undefined],
    [{ ...text, format: 'uri' }, '/b', ['/body/f']],
    [{ ...text, enum: ['a'] }, 'b', ['f']],
    [{ type: 'integer' }, 1.5, ['/body/f']],
    [{ type: 'integer' }, '1', ['/body/f']],
    [{ type: 'number', minimum: 0 }, -0.1, ['/body/f']],
    [{ type: 'boolean' }, 0, ['/body/f']],
    [text, null, ['/body/f']],
    [text, {}, ['/body/f']],
  ])('of %j: %j', (field, value, expected) => {
    expect(pathsOf({ f: field }, { f: value })).toEqual(expected)
  })

  it('may have the names of a prototype, and no others than those of the schema', () => {
    expect(pathsOf({ constructor: text, toString: text }, { constructor: 'a', toString: 'b' })).toBe(undefined)
    expect(pathsOf({ f: text }, { constructor: 'a', 'a/b': 1 })).toEqual(['/body/constructor', '/body/a~1b'])
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`g${index}`, 1]))
    expect(pathsOf({ f: text }, many)?.length).toBe(20)
    expect(compile({ f: text }).fits('toString', 'a')).toBe(false)
  })

  it('of a schema that its own default or enum does not fit are a TypeError', () => {
    expect(() => compile({ f: { ...text, default: 1 } })).toThrow(
      /the field "f": its own value must be string, got 1\.$/,
    )
    expect(() => compile({ f: { ...text, maxLength: 1, enum: ['aa'] } })).toThrow(TypeError)
    const customFields = { schema: { type: 'object', properties: { f: {} }, additionalProperties: false } }
    const options = { storage: memoryStorage(), authenticate: () => null, customFields } as never
    expect(() => createChangeRequestRouter(options)).toThrow(
      'createChangeRequestRouter: "customFields" has an invalid schema: the field "f": type must be string, number, ' +
        'integer or boolean.',
    )
  })

  it('warn of a pattern that is slow on texts of their length', () => {
    const warned: string[] = []
    const warn = (name: string) => warned.push(name)
    compile({ slow: { ...text, pattern: '^(a+)+$' }, short: { ...text, maxLength: 8, pattern: '^(a+)+$' } }, warn)
    compile({ quick: { ...text, pattern: '^[A-Z]+-[0-9]+$' } }, warn)
    expect(warned).toEqual(['slow'])
  })

  it('change the digest where any is set, and only by their names and values', () => {
    const by = personOf('ann')
    const changes = [change(1)]
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean())
    const values = fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1, maxKeys: 5, noNullPrototype: true })
    const toFields = (given: object, at: string) =>
      Object.entries(given).map(([name, one]) => ({ name, value: one as string, by, at }))
    fc.assert(
      fc.property(values, values, (one, other) => {
        const digest = digestOf({ changes, customFields: toFields(one, 'now') })
        expect(digest).not.toBe(digestOf({ changes }))
        expect(digestOf({ changes, customFields: toFields(one, 'later').reverse() })).toBe(digest)
        const isSame = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
        expect(digestOf({ changes, customFields: toFields(other, 'now') }) === digest).toBe(isSame)
      }),
    )
  })
})
