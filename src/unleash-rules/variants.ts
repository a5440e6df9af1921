import type { ErrorDetail } from '../errors'
import { type CurrentPart, expectThat, objectsIn, quote } from './existing'
import { isJson } from './values'

/** A variant of a strategy or a flag: the properties that both have. */
export interface AnyVariant {
  readonly name: string
  readonly weight: number
  readonly weightType?: 'variable' | 'fix'
  readonly payload?: { readonly type: string; readonly value: string }
}

const totalWeight = 1000

/** Except for what the target already has. Variable weights share the rest of 1000, so they need not add up to it. */
export function checkVariants(variants: readonly AnyVariant[], path: string, current: unknown): readonly ErrorDetail[] {
  const existing = new Map(objectsIn(current).map((variant) => [variant.name, variant]))
  return [
    ...checkNames(variants, path, objectsIn(current)),
    ...variants.flatMap((variant, index) =>
      checkVariant(variant, `${path}/${index}`, existing.get(variant.name) ?? {}),
    ),
    ...(weightsOf(variants) === weightsOf(objectsIn(current)) ? [] : checkTotal(variants, path)),
  ]
}

function checkVariant({ weight, payload }: AnyVariant, path: string, current: CurrentPart): readonly ErrorDetail[] {
  const { type, value } = (current.payload ?? {}) as CurrentPart
  const isAltered = payload?.type !== type || payload?.value !== value
  return [
    ...expectThat(
      weight === current.weight || (Number.isInteger(weight) && weight >= 0 && weight <= totalWeight),
      `${path}/weight`,
      `a weight must be a whole number of thousandths from 0 to ${totalWeight}, because the shares of all variants must add up ` +
        `to exactly ${totalWeight}; got ${weight}`,
    ),
    ...expectThat(
      payload?.type !== 'json' || !isAltered || isJson(payload.value),
      `${path}/payload/value`,
      'a payload of the type json must be valid JSON',
    ),
  ]
}

/** A name that the target has several times can stay so. */
function checkNames(variants: readonly AnyVariant[], path: string, current: readonly CurrentPart[]) {
  const left = new Map<unknown, number>()
  for (const { name } of current) left.set(name, (left.get(name) ?? 0) + 1)
  const used = new Set<string>()
  return variants.flatMap(({ name }, index) => {
    const isExisting = (left.get(name) ?? 0) > 0
    left.set(name, (left.get(name) ?? 0) - 1)
    const isUnique = !used.has(name)
    used.add(name)
    const message = `names of variants must be unique; ${quote(name)} is used twice`
    return expectThat(isUnique || isExisting, `${path}/${index}/name`, message)
  })
}

function weightsOf(variants: readonly Partial<Record<'name' | 'weight' | 'weightType', unknown>>[]): string {
  const weights = variants.map(({ name, weight, weightType = 'variable' }) =>
    JSON.stringify([name, weight, weightType]),
  )
  return weights.sort().join()
}

function checkTotal(variants: readonly AnyVariant[], path: string): readonly ErrorDetail[] {
  if (variants.length === 0) return []
  const fixed = variants.filter(({ weightType }) => weightType === 'fix')
  const sum = fixed.reduce((total, { weight }) => total + weight, 0)
  const message = `the weights of fixed variants must add up to at most ${totalWeight}, got ${sum}`
  return [
    ...expectThat(fixed.length < variants.length, path, 'at least one variant must have the weightType variable'),
    ...expectThat(sum <= totalWeight, path, message),
  ]
}
