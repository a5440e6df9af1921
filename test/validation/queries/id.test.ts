import { parseId } from '../../../src/validation/queries/id'

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
