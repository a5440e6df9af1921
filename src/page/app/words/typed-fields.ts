import type { CustomFieldsSchemaView, CustomFieldsUpdate } from '../../../generated'

/** What is typed for each field, by its name; empty for no value. */
export type Typed = Readonly<Record<string, string>>

type Value = CustomFieldsUpdate[string]

/** What a form begins with: the values, or the defaults before any is set. */
export function typedOf({ properties }: CustomFieldsSchemaView, values?: CustomFieldsUpdate): Typed {
  const text = (value: Value | undefined) => (value === undefined ? '' : String(value))
  const entries = Object.entries(properties).map(([name, field]) => {
    const stored = values && Object.hasOwn(values, name) ? values[name] : undefined
    return [name, text(values === undefined ? field.default : stored)]
  })
  return Object.fromEntries(entries)
}

/** What is sent. What is no number stays a text, so that the server names it. */
export function valuesOf({ properties }: CustomFieldsSchemaView, typed: Typed): CustomFieldsUpdate {
  const entries = Object.entries(properties).flatMap(([name, { type }]) => {
    const text = typed[name]?.trim() ?? ''
    return text === '' ? [] : [[name, toValue(type, text)] as const]
  })
  return Object.fromEntries(entries)
}

function toValue(type: CustomFieldsSchemaView['properties'][string]['type'], text: string): Value {
  if (type === 'boolean') return text === 'true'
  return type === 'string' || !Number.isFinite(Number(text)) ? text : Number(text)
}

/** The names of required fields without a text. */
export function emptyRequired({ required = [] }: CustomFieldsSchemaView, typed: Typed): readonly string[] {
  return required.filter((name) => !typed[name]?.trim())
}

/** The messages of the server by the names of the fields. Their paths are JSON pointers, or the name alone. */
export function fieldErrors(
  problems: readonly { readonly path?: string | undefined; readonly message: string }[],
): ReadonlyMap<string, string> {
  const nameIn = (path: string) => path.replace('/body/', '').replaceAll('~1', '/').replaceAll('~0', '~')
  return new Map(problems.map(({ path = '', message }) => [nameIn(path), message]))
}
