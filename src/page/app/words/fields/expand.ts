import { percentages } from '../../../../domain/content/reach'
import { isBlank, isObject, isSame, type Json, listOf } from '../json'
import type { FieldDiff } from './row'

/** The names in a JSON pointer. */
export function segmentsOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Neither before nor after. An empty percentage is not nothing: SDKs may read it as anything. */
export function saysNothing({ path, current, proposed }: FieldDiff): boolean {
  const isPercentage = percentages.has(path.replace('/parameters/', ''))
  return isBlank(current) && isBlank(proposed) && !(isPercentage && [current, proposed].includes(''))
}

/** The altered fields of an object that was compared as a whole, because one of its versions is missing. */
export function propertiesOf(diff: FieldDiff): readonly FieldDiff[] {
  return within(diff, (value) => new Map(isObject(value) ? Object.entries(value) : []))
}

/** The altered elements of such a list, by their names. */
export function elementsOf(diff: FieldDiff, key: string): readonly FieldDiff[] {
  return within(diff, (value) => new Map(listOf(value).map((one, index) => [nameOf(one, key, index), one])))
}

function nameOf(element: Json, key: string, index: number): string {
  const name = isObject(element) ? element[key] : undefined
  return typeof name === 'string' || typeof name === 'number' ? String(name) : String(index)
}

function within(diff: FieldDiff, entriesOf: (value: Json) => ReadonlyMap<string, Json>): readonly FieldDiff[] {
  const [base, current, proposed] = [entriesOf(diff.base), entriesOf(diff.current), entriesOf(diff.proposed)]
  const names = new Set([...current.keys(), ...proposed.keys()])
  return [...names]
    .map((name): FieldDiff => {
      const values = { base: base.get(name) ?? null, current: current.get(name) ?? null }
      const altered = { ...values, proposed: proposed.get(name) ?? null }
      const overwrites = diff.overwrites && !isSame(altered.base, altered.current)
      return { path: `${diff.path}/${escaped(name)}`, ...altered, overwrites, whole: diff.whole }
    })
    .filter((field) => (field.whole || !isSame(field.current, field.proposed)) && !saysNothing(field))
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function isWhole({ current, proposed }: FieldDiff): boolean {
  return isObject(current) || isObject(proposed)
}
