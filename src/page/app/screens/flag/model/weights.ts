import type { JsonObject } from '../../../words/json'
import { percent } from '../../../words/numbers'

/** The shares of all variants, in thousandths. */
const total = 1000

const weightIn = ({ weight }: JsonObject): number => (typeof weight === 'number' ? weight : 0)

/** Fixed ones never move. */
export const isFixed = ({ weightType }: JsonObject): boolean => weightType === 'fix'

/** `334` for `33.4`, `33,4` or `33.4 %`; undefined for anything but a share from 0 to 100 with at most one decimal. */
export function weightOf(text: string): number | undefined {
  const [, whole, tenths = '0'] = /^(\d{1,3})(?:[.,](\d?))?$/.exec(text.replace(/[\s%]/g, '')) ?? []
  const weight = Number(whole) * 10 + Number(tenths)
  return weight <= total ? weight : undefined
}

/** `33.4` for 334 */
export const shareOf = (weight: unknown): number => (typeof weight === 'number' ? weight / 10 : 0)

/** The variants with another share of one of them; the others adjust. */
export function withWeight(variants: readonly JsonObject[], index: number, weight: number): readonly JsonObject[] {
  return balanced(
    variants.map((one, at) => (at === index ? { ...one, weight } : one)),
    index,
  )
}

/** The variants with one more, which gets as much as the others have on average. */
export function withVariant(variants: readonly JsonObject[], variant: JsonObject): readonly JsonObject[] {
  const others = variants.filter((one) => !isFixed(one))
  const weight = others.length === 0 ? total : sumOf(others) / others.length
  return balanced([...variants, { ...variant, weight }])
}

export function withoutVariant(variants: readonly JsonObject[], index: number): readonly JsonObject[] {
  return balanced(variants.filter((_, at) => at !== index))
}

/** What the fixed ones leave, and the one at `except`, goes to the others in their current proportions. */
export function balanced(variants: readonly JsonObject[], except?: number): readonly JsonObject[] {
  const adjusts = (one: JsonObject, index: number) => index !== except && !isFixed(one)
  const left = total - sumOf(variants.filter((one, index) => !adjusts(one, index)))
  const weights = apportioned(variants.filter(adjusts).map(weightIn), Math.max(0, left))
  let next = 0
  return variants.map((one, index) => (adjusts(one, index) ? { ...one, weight: weights[next++] } : one))
}

/** Whole numbers in these proportions with this sum, by largest remainder; equal ones where there are no proportions. */
function apportioned(parts: readonly number[], sum: number): readonly number[] {
  const all = parts.reduce((one, other) => one + other, 0)
  const quotas = parts.map((part) => (all === 0 ? sum / parts.length : (part * sum) / all))
  const whole = quotas.map(Math.floor)
  const missing = sum - whole.reduce((one, other) => one + other, 0)
  const byRemainder = quotas.map((quota, index) => [quota % 1, index] as const).sort(([one], [other]) => other - one)
  for (const [, index] of byRemainder.slice(0, missing)) whole[index] = (whole[index] as number) + 1
  return whole
}

/** Why the shares are impossible; undefined if they are not. */
export function weightsMessage(variants: readonly JsonObject[]): string | undefined {
  const [sum, fixed] = [sumOf(variants), sumOf(variants.filter(isFixed))]
  if (fixed > total) return `The fixed shares add up to ${percent(fixed / 10)}. They can be at most ${percent(100)}.`
  if (variants.length === 0 || sum === total) return undefined
  return `The shares add up to ${percent(sum / 10)}. They must add up to ${percent(100)}.`
}

function sumOf(variants: readonly JsonObject[]): number {
  return variants.reduce((sum, one) => sum + weightIn(one), 0)
}
