import { type Check, expectThat, quote } from './detail'
import { isJson } from './values'

/** A variant of a strategy or a flag: the properties that both have. */
export interface AnyVariant {
  readonly name: string
  readonly weight: number
  readonly weightType?: 'variable' | 'fix'
  readonly payload?: { readonly type: string; readonly value: string }
}

const totalWeight = 1000

/**
 * Checks names, weights and payloads. Variants with a variable weight share the rest of 1000, so their weights are not
 * checked. An empty list is valid.
 */
export const checkVariants: Check<readonly AnyVariant[]> = (variants, path) => {
  if (variants.length === 0) return []
  const names = variants.map(({ name }) => name)
  const fixed = variants.filter(({ weightType }) => weightType === 'fix')
  const sum = fixed.reduce((total, { weight }) => total + weight, 0)
  return [
    ...variants.flatMap(({ name, payload }, index) => [
      ...expectThat(
        names.indexOf(name) === index,
        `${path}/${index}/name`,
        `names of variants must be unique; ${quote(name)} is used twice`,
      ),
      ...expectThat(
        payload?.type !== 'json' || isJson(payload.value),
        `${path}/${index}/payload/value`,
        'a payload of the type json must be valid JSON',
      ),
    ]),
    ...expectThat(fixed.length < variants.length, path, 'at least one variant must have the weightType variable'),
    ...expectThat(
      sum <= totalWeight,
      path,
      `the weights of fixed variants must add up to at most ${totalWeight}, got ${sum}`,
    ),
  ]
}
