import { createQueryReader, parseId } from '../../../src/validation/queries/query-reader'
import { rejection } from '../rejection'

const reader = (query: string) => createQueryReader(new URLSearchParams(query))

describe('a query parameter', () => {
  it.each([
    ['', undefined],
    ['a=', undefined],
    ['b=1', undefined],
    ['a=1', '1'],
    ['a=%20x+y', ' x y'],
    ['a[b]=c', undefined],
  ])('in ?%s is %j', (query, value) => {
    expect(reader(query).one('a')).toBe(value)
  })

  it('that may repeat has all values that are not empty', () => {
    expect(reader('a=1&b=2&a=&a=3').all('a')).toEqual(['1', '3'])
  })

  it.each([
    ['a=1&a=2', 'Send the query parameter a only once.'],
    ['a=&a=', 'Send the query parameter a only once.'],
    ['a=x%00', 'The query parameter a contains a NUL character.'],
  ])('in ?%s is rejected', (query, message) => {
    const error = rejection(() => reader(query).one('a'))
    expect(error).toMatchObject({ name: 'BadDataError', message, details: [{ message, path: '/query/a' }] })
  })

  it('that may repeat is rejected for a NUL character', () => {
    const error = rejection(() => reader('a=1&a=%00').all('a'))
    expect(error.details).toEqual([{ message: 'The query parameter a contains a NUL character.', path: '/query/a' }])
  })
})

const highest = '9007199254740991'

describe('a number in a path', () => {
  it.each([
    ['1', 1],
    ['42', 42],
    [highest, 2 ** 53 - 1],
  ])('may be %s', (text, id) => {
    expect(parseId(text)).toBe(id)
  })

  it.each([
    '',
    '0',
    '01',
    '+1',
    '-1',
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '1\n',
    '１',
    'one',
    'NaN',
    'Infinity',
    '9007199254740992',
    '9'.repeat(400),
  ])('is not found if it is %j', (text) => {
    expect(parseId(text)).toBeUndefined()
  })
})
