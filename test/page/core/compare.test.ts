import fc from 'fast-check'
import { compare, compareWords } from '../../../src/page/app/parts/lists/compare'
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

describe('words compared', () => {
  const shownWords = (from: string, to: string) =>
    compareWords(from, to)
      .map(({ mark, text }) => `${mark}[${text}]`)
      .join('')

  it.each([
    ['the same text', 'a b', 'a b', ' [a b]'],
    ['a word that changes', 'pay by card', 'pay by invoice', ' [pay by ]-[card]+[invoice]'],
    ['words at the end', 'pay', 'pay by card', ' [pay]+[ by card]'],
    ['punctuation', 'a, b', 'a; b', ' [a]-[,]+[;] [ b]'],
    ['letters of all scripts', 'größer 日本', 'größer 日本語', ' [größer ]-[日本]+[日本語]'],
    ['lines', 'a\nb', 'a\nc', ' [a\n]-[b]+[c]'],
  ])('show %s', (_name, from, to, expected) => {
    expect(shownWords(from, to)).toBe(expected)
  })
})
