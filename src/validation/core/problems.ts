import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020'
import { ChangeRequestError, type ErrorDetail } from '../../errors'
import { featureNameRules, type NameRule, placeNames } from './names'

const maxLength = 100

/** Shortens a text of the caller, so that an error never contains a whole body. */
function cut(text: string): string {
  if (text.length <= maxLength) return text
  const head = text.slice(0, maxLength - 1)
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`
}

export function echo(value: unknown): string {
  return cut(JSON.stringify(typeof value === 'string' ? value.slice(0, maxLength) : value) ?? String(value))
}

/** One segment of a JSON pointer, shortened. */
export function step(key: string | number): string {
  return `/${cut(String(key)).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function badData(details: readonly ErrorDetail[]): ChangeRequestError {
  return new ChangeRequestError('BadDataError', 'The input is not valid; see details for what is wrong with it.', {
    details,
  })
}

export function malformedRequest(message: string, { path }: { readonly path?: string } = {}): ChangeRequestError {
  return new ChangeRequestError('BadDataError', message, {
    details: [path === undefined ? { message } : { message, path }],
  })
}

/** The detail for a value that is not allowed. Its path is only the name of the property (contract 11.3). */
export function notAmong(allowed: readonly unknown[], value: unknown, keys: readonly (string | number)[]): ErrorDetail {
  const property = String(keys.at(-1))
  const names = allowed.map((name) => JSON.stringify(name)).join(', ')
  const position = keys.some((key) => typeof key === 'number') ? ` at ${keys.map(step).join('')}` : ''
  return { path: property, message: `${property} must be one of ${names}, got ${echo(value)}${position}` }
}

/** What is wrong with a malformed name, and what to use instead. */
export function problemOfName({ expected, hint }: NameRule, value: unknown): string {
  return `${expected}, got ${echo(value)}${hint}`
}

const expectations: Readonly<Record<string, (params: Record<string, unknown>) => string>> = {
  type: ({ type }) => `must be ${[type].flat().join(' or ')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: ({ limit }) => `must have at least ${limit} characters`,
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  pattern: ({ pattern }) => `must match ${pattern}`,
  format: ({ format }) =>
    format === 'date-time'
      ? 'must be a date and time with Z or an offset, such as 2026-03-04T12:00:00Z'
      : `must match format "${format}"`,
}

/** Undefined when the value is valid. @param base its path in the request, such as `['body', 3]` */
export function firstProblem(
  validate: ValidateFunction,
  value: unknown,
  base: readonly (string | number)[],
): ErrorDetail | undefined {
  if (validate(value)) return undefined
  const error = validate.errors?.[0]
  return error ? toDetail(error, value, base) : { path: base.map(step).join(''), message: 'is not valid' }
}

const nameRules = [placeNames, ...Object.values(featureNameRules)]

function toDetail(error: ErrorObject, root: unknown, base: readonly (string | number)[]): ErrorDetail {
  const { keys, value } = follow(error.instancePath, root)
  const { keyword, params } = error
  const path = [...base, ...keys]
  if (keyword === 'enum') return notAmong(params.allowedValues, value, path)
  const at = path.map(step).join('')
  const missing = params.missingProperty
  if (keyword === 'required') return { path: at + step(missing), message: `${missing} is required and missing` }
  const extra = params.additionalProperty
  if (keyword === 'additionalProperties')
    return { path: at + step(extra), message: `${cut(extra)} is not allowed there` }
  const rule = keyword === 'pattern' ? nameRules.find(({ schema }) => schema === error.parentSchema) : undefined
  if (rule !== undefined) return { path: at, message: problemOfName(rule, value) }
  const expected = expectations[keyword]?.(params) ?? error.message ?? 'is not valid'
  return { path: at, message: `${expected}, got ${echo(value)}` }
}

/** Resolves an instance path of Ajv. Positions in arrays become numbers. */
function follow(instancePath: string, root: unknown): { keys: (string | number)[]; value: unknown } {
  const keys: (string | number)[] = []
  let value = root
  for (const segment of instancePath.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    keys.push(Array.isArray(value) ? Number(key) : key)
    value = (value as Record<string, unknown>)[key]
  }
  return { keys, value }
}
