import { type Check, expectThat, quote } from './detail'
import { isJson } from './values'

/** What strategies and flags have in common in their variants. */
export interface AnyVariant {
  readonly name: string
  readonly weight: number
  readonly weightType?: 'variable' | 'fix'
  readonly payload?: { readonly type: string; readonly value: string }
}

const wholeWeight = 1000

/**
 * Names, weights and payloads. The variable ones share what the fixed ones leave of 1000, so their own weights are not
 * looked at. No variants at all are fine.
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
        `variants need different names; ${quote(name)} is there twice`,
      ),
      ...expectThat(
        payload?.type !== 'json' || isJson(payload.value),
        `${path}/${index}/payload/value`,
        'a payload of the type json needs valid JSON',
      ),
    ]),
    ...expectThat(fixed.length < variants.length, path, 'at least one variant needs the weightType variable'),
    ...expectThat(
      sum <= wholeWeight,
      path,
      `the weights of fixed variants may add up to ${wholeWeight} at most, got ${sum}`,
    ),
  ]
}
