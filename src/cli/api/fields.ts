import { ClientError } from '../../client/index'
import type { CustomFieldsUpdate, CustomFieldsView } from '../../generated/index'
import { UsageError } from '../command'
import type { Api, Place } from './api'
import type { Deadline } from './wait'

/** The values of `--field name=value`, as text. @throws UsageError */
export function parseFields(args: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const arg of args) {
    const end = arg.indexOf('=')
    if (end < 1) throw new UsageError(`--field must be a name and a value, such as ticket=ABC-1, got ${arg}.`)
    const name = arg.slice(0, end)
    if (fields.has(name)) throw new UsageError(`--field ${name} is set twice.`)
    fields.set(name, arg.slice(end + 1))
  }
  return fields
}

/**
 * Sets custom fields of a change request; the others keep their values. @throws UsageError for a field that the server does not
 * have, or whose value it does not accept
 */
export async function setFields(
  { client }: Api,
  place: Place,
  fields: ReadonlyMap<string, string>,
  deadline: Deadline,
): Promise<void> {
  if (fields.size === 0) return
  const { customFields } = await deadline.retry(async (signal) => (await client.review(place, { signal })).body)
  const given = toValues(fields, customFields)
  const { schema, values } = customFields as CustomFieldsView
  if (Object.entries(given).every(([name, value]) => values[name] === value)) return
  const kept = Object.entries(values).filter(([name]) => Object.hasOwn(schema.properties, name))
  const all = { ...Object.fromEntries(kept), ...given }
  try {
    await deadline.retry((signal) => client.setCustomFields(place, all, { signal }))
  } catch (error) {
    if (!(error instanceof ClientError) || error.status !== 400) throw error
    const problems = error.details.map(({ path = '', message }) => `  ${path.replace('/body/', '')}: ${message}`)
    throw new UsageError(['The custom fields were not accepted:', ...problems].join('\n'))
  }
}

function toValues(fields: ReadonlyMap<string, string>, customFields: CustomFieldsView | null): CustomFieldsUpdate {
  const known = customFields?.schema.properties ?? {}
  const values = [...fields].map(([name, text]) => {
    const field = Object.hasOwn(known, name) ? known[name] : undefined
    if (field !== undefined) return [name, toValue(name, text, field.type)]
    const names = Object.keys(known)
    const hint = names.length === 0 ? 'The server has no custom fields.' : `Known fields: ${names.join(', ')}.`
    throw new UsageError(`--field ${name}: there is no such custom field. ${hint}`)
  })
  return Object.fromEntries(values)
}

function toValue(name: string, text: string, type: CustomFieldsView['schema']['properties'][string]['type']) {
  if (type === 'string') return text
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new UsageError(`--field ${name} must be true or false, got ${text}.`)
  }
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw new UsageError(`--field ${name} must be a number, got ${text}.`)
}
