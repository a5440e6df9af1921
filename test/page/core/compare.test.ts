import fc from 'fast-check'
import { compare, compareWords } from '../../../src/page/app/parts/changes/compare'
import { random } from '../../support/random'

describe('lists compared', () => {
  it('are all of both, in their order', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (from, to) => {
        const pieces = compare(from, to)
        expect(pieces.flatMap(({ mark, texts }) => (mark === '+' ? [] : texts))).toEqual(from)
        expect(pieces.flatMap(({ mark, texts }) => (mark === '-' ? [] : texts))).toEqual(to)
      }),
      random(100),
    )
  })
})

describe('words compared', () => {
  const shownWords = (from: string, to: string) =>
    compareWords(from, to)
      .map(({ mark, texts }) => `${mark}[${texts.join('')}]`)
      .join('')

  it.each([
    ['the same text', 'a b', 'a b', ' [a b]'],
    ['a word that changes', 'pay by card', 'pay by invoice', ' [pay by ]-[card]+[invoice]'],
    ['words at the end', 'pay', 'pay by card', ' [pay]+[ by card]'],
    ['punctuation', 'a, b', 'a; b', ' [a]-[,]+[;] [ b]'],
    ['letters of all scripts', 'größer 日本', 'größer 日本語', ' [größer ]-[日本]+[日本語]'],
    ['lines', 'a\nb', 'a\nc', ' [a\n]-[b]+[c]'],
    [
      'long texts that differ everywhere',
      'a '.repeat(2_000),
      'b '.repeat(2_000),
      `-[${'a '.repeat(2_000)}]+[${'b '.repeat(2_000)}]`,
    ],
  ])('show %s', (_name, from, to, expected) => {
    expect(shownWords(from, to)).toBe(expected)
  })
})
