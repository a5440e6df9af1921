import type { ChangeRequest, CustomField } from '../change-request'

/** The value of a custom field. */
export type CustomFieldValue = string | number | boolean

/** What a custom field accepts. */
export type CustomFieldSchema = {
  /** Its label; without one its name is shown. */
  readonly title?: string
  /** A hint for people. */
  readonly description?: string
} & (
  | {
      readonly type: 'string'
      /** The maximum number of characters, 1 to 500. */
      readonly maxLength: number
      /** A regular expression that a value matches. */
      readonly pattern?: string
      /** The accepted values. */
      readonly enum?: readonly string[]
      /** `uri` is an absolute address; `date` a day, such as `2026-11-27`. */
      readonly format?: 'uri' | 'date'
      /** Prefills a form; the router fills in nothing. */
      readonly default?: string
    }
  | {
      readonly type: 'number' | 'integer'
      /** The lowest value. */
      readonly minimum?: number
      /** The highest value. */
      readonly maximum?: number
      /** The accepted values. */
      readonly enum?: readonly number[]
      /** Prefills a form; the router fills in nothing. */
      readonly default?: number
    }
  | {
      readonly type: 'boolean'
      /** Prefills a form; the router fills in nothing. */
      readonly default?: boolean
    }
)

/**
 * Fields that authors fill in, such as a ticket.
 *
 * @example
 * ```ts
 * const fields: CustomFields = {
 *   schema: {
 *     type: 'object',
 *     properties: { ticket: { type: 'string', title: 'Ticket', maxLength: 20, pattern: '^[A-Z]+-[0-9]+$' } },
 *     required: ['ticket'],
 *     additionalProperties: false,
 *   },
 *   searchable: 'ticket',
 * }
 * ```
 */
export interface CustomFields {
  /** The fields, as a JSON Schema: at most 20 properties, and at most 64 kB as JSON. */
  readonly schema: {
    readonly type: 'object'
    /** The fields by name. */
    readonly properties: { readonly [name: string]: CustomFieldSchema }
    /** The fields that a change request needs before it is sent for review. */
    readonly required?: readonly string[]
    readonly additionalProperties: false
  }
  /** The name of a text field with a `maxLength` of at most 100, by which the inbox finds change requests. */
  readonly searchable?: string
}

/** What the rules know about the custom fields of the host app. */
export interface CustomFieldRules {
  /** The names of the fields that a submit needs. */
  readonly required: readonly string[]
  /** The name of the field by which the inbox finds change requests; undefined for none. */
  readonly searchable: string | undefined
  /** Whether the host app has the field and accepts the value. */
  fits(name: string, value: unknown): boolean
}

type Stored = Pick<ChangeRequest, 'customFields'>

/** The values by name; undefined if none is set. */
export function customValues({ customFields }: Stored): Record<string, CustomFieldValue> | undefined {
  return customFields && Object.fromEntries(customFields.map(({ name, value }) => [name, value]))
}

/** What events carry of them; empty if none is set. */
export function customFieldsData(current: Stored): { readonly customFields?: Record<string, CustomFieldValue> } {
  const customFields = customValues(current)
  return customFields === undefined ? {} : { customFields }
}

/** Replaces all values. One that stays equal keeps who set it; a blank text is no value. */
export function withCustomValues(
  current: ChangeRequest,
  values: Readonly<Record<string, CustomFieldValue>>,
  { searchable }: Pick<CustomFieldRules, 'searchable'>,
  set: Pick<CustomField, 'by' | 'at'>,
): ChangeRequest {
  const { customFields: before = [], ...others } = current
  const customFields = Object.entries(values).flatMap(([name, value]): CustomField | [] => {
    if (typeof value === 'string' && value.trim() === '') return []
    const known = before.find((one) => one.name === name)
    if (known?.value === value) return known
    return { name, value, ...set, ...(name === searchable && { searchable: true }) }
  })
  const isSame = customFields.length === before.length && before.every((field) => customFields.includes(field))
  if (isSame) return current
  return customFields.length === 0 ? others : { ...others, customFields }
}

/** The required fields without a value. */
export function emptyFields({ customFields = [] }: Stored, { required }: CustomFieldRules): readonly string[] {
  return required.filter((name) => !customFields.some((one) => one.name === name))
}

/** The fields whose value no longer fits, because the host app has changed the schema. */
export function outdatedFields({ customFields = [] }: Stored, rules: CustomFieldRules): readonly string[] {
  return customFields.filter(({ name, value }) => !rules.fits(name, value)).map(({ name }) => name)
}

/** The values of a closed change request that still fit, for a copy of it. */
export function copiedFields(
  { customFields = [] }: Stored,
  rules: CustomFieldRules | undefined,
  set: Pick<CustomField, 'by' | 'at'>,
): Stored {
  const fitting = customFields.filter(({ name, value }) => rules?.fits(name, value))
  return fitting.length === 0 ? {} : { customFields: fitting.map((field) => ({ ...field, ...set })) }
}
