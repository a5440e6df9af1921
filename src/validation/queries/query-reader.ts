import { malformedRequest } from '../core/problems'

/** Reads the query of a request. Empty values are ignored. */
export type QueryReader = ReturnType<typeof createQueryReader>

export function createQueryReader(query: URLSearchParams) {
  return {
    /** @throws BadDataError when the parameter is given twice or contains a NUL character. */
    one(name: string): string | undefined {
      const value = singleValue(query, name)
      return value && withoutNul(name, value)
    },
    /** @throws BadDataError when a value contains a NUL character. */
    all(name: string): string[] {
      const values = query.getAll(name).filter((value) => value !== '')
      return values.map((value) => withoutNul(name, value))
    },
  }
}

/** Unlike `one`, it may contain a NUL character. @throws BadDataError when the parameter is given twice */
export function singleValue(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name)
  if (values.length > 1)
    throw malformedRequest(`Send the query parameter ${name} only once.`, { path: `/query/${name}` })
  return values[0] === '' ? undefined : values[0]
}

function withoutNul(name: string, value: string): string {
  if (!value.includes('\0')) return value
  throw malformedRequest(`The query parameter ${name} contains a NUL character.`, { path: `/query/${name}` })
}

/** The id in a path segment; undefined if it is not a valid id (contract 2.1). */
export function parseId(text: string): number | undefined {
  const id = parseDigits(text)
  return id === 0 ? undefined : id
}

/** Decimal digits without sign and leading zeros, up to the largest integer that a number holds exactly. */
export function parseDigits(text: string): number | undefined {
  if (!/^(?:0|[1-9]\d{0,15})$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}
