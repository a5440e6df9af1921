import type { Ajv2020 } from 'ajv/dist/2020'
import { fullFormats } from 'ajv-formats/dist/formats'

const rfc3339 = fullFormats['date-time'] as { validate(text: string): boolean }

const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/**
 * True for a time that every database stores as the same instant: RFC 3339 without leap seconds, with a `T` instead of a
 * space, and in the years 1 to 9999 in UTC.
 */
export function isDateTime(text: string): boolean {
  if (!shape.test(text) || !rfc3339.validate(text)) return false
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Adds the formats of the schemas to an Ajv instance. */
export function addFormats(ajv: Ajv2020): void {
  ajv.addFormat('date-time', { type: 'string', validate: isDateTime })
  ajv.addFormat('uuid', fullFormats.uuid)
  ajv.addFormat('uri', fullFormats.uri)
}
