import type { CustomFieldsSchemaView, CustomFieldsUpdate, CustomFieldsView } from '../../../generated'
import { joined, strong, type Words } from './spans'

type Value = CustomFieldsUpdate[string]
type Asked = Pick<CustomFieldsView, 'schema' | 'values'>

/** The label of a field: its title, else its name. */
export function fieldLabel({ properties }: CustomFieldsSchemaView, name: string): string {
  return (Object.hasOwn(properties, name) ? properties[name]?.title : undefined) ?? name
}

export function valueText(value: Value): string {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}

/** `Ticket ABC-1 → ABC-2`, for each value that differs; empty for none. */
export function comparedFields(old: Asked | null, next: Asked | null): Words {
  if (old === null || next === null) return []
  const names = new Set([...Object.keys(old.values), ...Object.keys(next.values)])
  const textIn = ({ values }: Asked, name: string) =>
    Object.hasOwn(values, name) ? valueText(values[name] as Value) : 'no value'
  const parts = [...names].flatMap((name): Words[] => {
    const [before, after] = [textIn(old, name), textIn(next, name)]
    return before === after ? [] : [[`${fieldLabel(next.schema, name)} ${before} → `, strong(after)]]
  })
  return joined(parts, ', ')
}
