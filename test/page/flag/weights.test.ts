import fc from 'fast-check'
import {
  type balanced,
  isFixed,
  weightOf,
  weightsMessage,
  withoutVariant,
  withVariant,
  withWeight,
} from '../../../src/page/app/screens/flag/model/weights'
import { random } from '../../support/random'

type Variants = Parameters<typeof balanced>[0]

const weightsOf = (variants: Variants) => variants.map(({ weight }) => weight as number)
const sumOf = (variants: Variants) => weightsOf(variants).reduce((sum, weight) => sum + weight, 0)
const variable = (...weights: readonly number[]) => weights.map((weight, index) => ({ name: `v${index}`, weight }))
const fixed = (name: string, weight: number) => ({ name, weight, weightType: 'fix' })

describe('the shares of variants', () => {
  it.each([
    ['33.4', 334],
    ['33,4 %', 334],
    ['100', 1000],
    ['0', 0],
    ['7.', 70],
    ['100.1', undefined],
    ['33.45', undefined],
    ['-1', undefined],
    ['', undefined],
    ['half', undefined],
  ])('reads %j as %j thousandths', (text, weight) => {
    expect(weightOf(text)).toBe(weight)
  })

  it('adjusts the others in their proportions, by largest remainder', () => {
    expect(weightsOf(withWeight(variable(500, 300, 200), 0, 400))).toEqual([400, 360, 240])
    expect(weightsOf(withWeight(variable(1000, 0, 0), 0, 333))).toEqual([333, 334, 333])
    expect(weightsOf(withWeight([fixed('a', 250), ...variable(500, 250)], 1, 100))).toEqual([250, 100, 650])
  })

  it('gives a new variant as much as the others have, and the share of a removed one to the others', () => {
    expect(weightsOf(withVariant(variable(500, 500), { name: 'new' }))).toEqual([334, 333, 333])
    expect(weightsOf(withVariant([], { name: 'new' }))).toEqual([1000])
    expect(weightsOf(withoutVariant([fixed('a', 250), ...variable(500, 250)], 1))).toEqual([250, 750])
  })

  it('reports what is impossible', () => {
    expect(weightsMessage(withWeight([fixed('a', 600), ...variable(400)], 1, 500))).toMatch(/add up to .*110/)
    expect(weightsMessage([fixed('a', 600), fixed('b', 600), ...variable(0)])).toMatch(/fixed shares add up to .*120/)
    expect(weightsMessage([])).toBeUndefined()
  })

  it('moves no fixed one, and adds up to 100 % where that is possible', () => {
    const variant = fc.record({
      name: fc.string(),
      weight: fc.integer({ min: 0, max: 1000 }),
      weightType: fc.constantFrom('fix', 'variable'),
    })
    const edit = fc.tuple(fc.array(variant, { minLength: 1 }), fc.nat(), fc.integer({ min: 0, max: 1000 }))
    fc.assert(
      fc.property(edit, ([variants, place, weight]) => {
        const index = place % variants.length
        const after = withWeight(variants, index, weight)
        const kept = variants.map((one, at) => (at === index ? { ...one, weight } : one))
        const isKept = (one: Variants[number], at: number) => at === index || isFixed(one)
        expect(after.filter(isKept)).toEqual(kept.filter(isKept))
        expect(weightsOf(after).every((one) => Number.isInteger(one) && one >= 0)).toBe(true)
        const isPossible = after.some((one, at) => !isKept(one, at)) && sumOf(kept.filter(isKept)) <= 1000
        if (isPossible) expect(sumOf(after)).toBe(1000)
        else if (sumOf(after) !== 1000) expect(weightsMessage(after)).toBeDefined()
      }),
      random(300),
    )
  })
})
