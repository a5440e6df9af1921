import { valuesOf } from '../../../src/page/app/screens/flag/model/values'

describe('a pasted list', () => {
  it.each([
    ['NO\nSE\r\n\nDK ', ['NO', 'SE', 'DK']],
    ['NO, SE,,DK', ['NO', 'SE', 'DK']],
    ['NO\tSE', ['NO', 'SE']],
    ['"Oslo, Norway", "say ""hi""" ,plain', ['Oslo, Norway', 'say "hi"', 'plain']],
    ['"two\nlines"\nnext', ['two\nlines', 'next']],
    ['5" pipe, "open', ['5" pipe', '"open']],
    ['', []],
  ])('reads %j as %j', (text, values) => {
    expect(valuesOf(text).values).toEqual(values)
  })

  it('adds to the values that are there, and reports what it leaves out', () => {
    expect(valuesOf('c,a,b,c,d', ['a', 'b'], 3)).toEqual({
      values: ['a', 'b', 'c'],
      message: '1 value was added, 3 duplicates were left out, 1 value over the limit of 3 was left out.',
    })
    expect(valuesOf('c', ['a', 'b'], 1).values).toEqual(['a', 'b'])
    expect(valuesOf('a,b').message).toBe('2 values were added.')
  })

  it('reads a long text of quotes without delay', () => {
    expect(valuesOf('"'.repeat(100_000)).values).toHaveLength(1)
  })
})
