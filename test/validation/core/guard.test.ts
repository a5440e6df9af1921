import { guardBody } from '../../../src/validation/core/guard'
import { counted, growth, linear } from '../../support/cost'
import { rejection } from '../rejection'

const limits = { depth: 32, nodes: 20_000 }

const details = (body: unknown) => {
  const error = rejection(() => guardBody(body, limits))
  expect(error.name).toBe('BadDataError')
  return error.details
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let body: unknown = wrap(1)
  for (let level = 1; level < depth; level += 1) body = wrap(body)
  return body
}

const arrays = (inner: unknown) => [inner]
const objects = (inner: unknown) => ({ a: inner })

/** How much of a body is read before it is rejected. */
function readsOf(body: unknown): number {
  const { value, reads } = counted(body)
  rejection(() => guardBody(value, limits))
  return reads()
}

describe('a body', () => {
  it.each([[{}], [[]], [{ a: [null, true, 1.5, 'é🙂', { constructor: 'x', prototype: null }] }]])(
    'may be %j',
    (body) => {
      expect(() => guardBody(body, limits)).not.toThrow()
    },
  )

  it.each([
    [null, 'null'],
    ['text', '"text"'],
    [12, '12'],
    [true, 'true'],
    [undefined, 'undefined'],
    [Buffer.from('{}'), 'Uint8Array'],
    [new Date(0), 'Date'],
    [new Map(), 'Map'],
  ])('is rejected when it is %p', (body, kind) => {
    expect(details(body)).toEqual([{ path: '/body', message: `must be an object or an array, got ${kind}` }])
  })

  it('is rejected with the path of the error', () => {
    expect(details([{ a: 1 }, { 'b/c~d': [0, '\0'] }])).toEqual([
      { path: '/body/1/b~1c~0d/1', message: 'the character NUL is not allowed' },
    ])
  })
})

describe('nesting', () => {
  it.each([
    ['arrays', arrays],
    ['objects', objects],
  ])('of %s may be 32 deep', (_, wrap) => {
    expect(() => guardBody(nested(32, wrap), limits)).not.toThrow()
  })

  it.each([
    ['arrays', 33, arrays],
    ['arrays', 50_000, arrays],
    ['objects', 50_000, objects],
  ])('of %s must not be %i deep', (_, depth, wrap) => {
    const body = nested(depth, wrap)
    const step = Array.isArray(body) ? '/0' : '/a'
    const message = 'must not nest deeper than 32 objects and arrays'
    expect(details(body)).toEqual([{ path: `/body${step.repeat(32)}`, message }])
    expect(readsOf(body)).toBe(readsOf(nested(33, wrap)))
  })

  it('that is endless is rejected too', () => {
    const body: unknown[] = []
    body.push(body)
    expect(details(body)[0]?.message).toContain('must not nest deeper')
  })
})

describe('the number of values', () => {
  it('may be 20,000, the outermost included', () => {
    expect(() => guardBody(Array(19_999).fill(0), limits)).not.toThrow()
    const body = Object.fromEntries(Array.from({ length: 19_999 }, (_, index) => [`k${index}`, null]))
    expect(() => guardBody(body, limits)).not.toThrow()
  })

  it.each([20_001, 200_000])('must not have %i values', (count) => {
    const message = 'must have at most 20000 values'
    expect(details(Array(count - 1).fill(0))).toEqual([{ path: '/body', message }])
    expect(details(Array(Math.ceil(count / 2)).fill([0]))).toEqual([{ path: '/body', message }])
  })
})

describe('values that a database would reject or change', () => {
  it.each([
    ['NUL in a text', '{"a":"x\\u0000"}', '/body/a', 'the character NUL is not allowed'],
    ['half a pair at the start', '{"a":"\\udc00x"}', '/body/a', 'half of a surrogate pair is not allowed'],
    ['half a pair at the end', '{"a":["x\\ud83d"]}', '/body/a/0', 'half of a surrogate pair is not allowed'],
    ['the halves in the wrong order', '["\\ude42\\ud83d"]', '/body/0', 'half of a surrogate pair is not allowed'],
    ['NUL in a name', '{"p":{"a\\u0000":1}}', '/body/p', 'the character NUL in the name of a property is not allowed'],
    [
      'half a pair in a name',
      '{"\\ud83d":1}',
      '/body',
      'half of a surrogate pair in the name of a property is not allowed',
    ],
    ['1e400', '{"a":1e400}', '/body/a', 'the number Infinity is not allowed'],
    ['-1e400', '[-1e400]', '/body/0', 'the number -Infinity is not allowed'],
    ['__proto__', '{"a":{"__proto__":{"b":1}}}', '/body/a/__proto__', 'a property of this name is not allowed'],
  ])('are rejected: %s', (_, json, path, message) => {
    expect(details(JSON.parse(json))).toEqual([{ path, message }])
  })

  it.each([
    ['a function', () => 1, 'function'],
    ['a bigint', 1n, 'bigint'],
    ['a date', new Date(0), 'Date'],
    ['a Buffer', Buffer.from('x'), 'Uint8Array'],
    ['NaN', Number.NaN, 'NaN'],
  ])('are rejected though JSON cannot contain them: %s', (_, value, kind) => {
    expect(details({ a: value })).toEqual([{ path: '/body/a', message: expect.stringContaining(kind) }])
  })

  it('have long names shortened', () => {
    expect(details({ ['x'.repeat(1000)]: '\0' })[0]?.path).toBe(`/body/${'x'.repeat(99)}…`)
  })
})

describe('the cost', () => {
  const guard = (body: unknown) => () => guardBody(body, limits)

  it('of 92 kB of flat objects is linear', () => {
    const objects = (length: number) => Array.from({ length }, (_, index) => ({ a: index, b: 'text', c: null }))
    expect(JSON.stringify(objects(4000)).length).toBeGreaterThan(92_000)
    expect(growth((length) => guard(objects(length)), 500)).toBeLessThan(linear)
  })

  it('of one text of 100 kB is linear', () => {
    expect(growth((length) => guard(['🙂'.repeat(length)]), 25_000 / 8)).toBeLessThan(linear)
  })
})
