import { escaped } from '../../../../domain/content/json-pointer'
import { percentages } from '../../../../domain/content/reach'
import { isBlank, isObject, isSame, type Json, listOf } from '../json'
import type { FieldDiff } from './row'

/** Neither before nor after. An empty percentage is not nothing: SDKs may read it as anything. */
export function saysNothing({ path, current, proposed }: FieldDiff): boolean {
  const isPercentage = percentages.has(path.replace('/parameters/', ''))
  return isBlank(current) && isBlank(proposed) && !(isPercentage && [current, proposed].includes(''))
}

/** The altered fields of an object that was compared as a whole, because one of its versions is missing. */
export function propertiesOf(diff: FieldDiff): readonly FieldDiff[] {
  return within(diff, (value) => new Map(isObject(value) ? Object.entries(value) : []))
}

/** The altered elements of such a list, by their names. The second one of the name `blue` is `blue 2`. */
export function elementsOf(diff: FieldDiff, key: string): readonly FieldDiff[] {
  return within(diff, (value) => {
    const places = new Map<string, number>()
    return new Map(
      listOf(value).map((one, index) => {
        const name = nameOf(one, key, index)
        const place = (places.get(name) ?? 0) + 1
        places.set(name, place)
        return [place > 1 ? `${name} ${place}` : name, one]
      }),
    )
  })
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

export function isWhole({ current, proposed }: FieldDiff): boolean {
  return isObject(current) || isObject(proposed)
}
