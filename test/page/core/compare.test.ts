import fc from 'fast-check'
import { compare } from '../../../src/page/app/parts/lists/compare'
import { random } from '../../support/random'

const shown = (from: string, to: string) =>
  compare([...from], [...to])
    .map(({ mark, text }) => `${mark}${text}`)
    .join('')

describe('lines compared', () => {
  it.each([
    ['abc', 'abc', ' a b c'],
    ['abc', 'axc', ' a-b+x c'],
    ['', 'ab', '+a+b'],
    ['ab', '', '-a-b'],
    ['abcd', 'bcde', '-a b c d+e'],
    ['aXbYc', 'abc', ' a-X b-Y c'],
  ])('%s to %s is%s', (from, to, lines) => {
    expect(shown(from, to)).toBe(lines)
  })

  it('are all of both, in their order', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (from, to) => {
        const lines = compare(from, to)
        expect(lines.filter(({ mark }) => mark !== '+').map(({ text }) => text)).toEqual(from)
        expect(lines.filter(({ mark }) => mark !== '-').map(({ text }) => text)).toEqual(to)
      }),
      random(100),
    )
  })
})
