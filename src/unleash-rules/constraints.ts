import type { ErrorDetail } from '../errors'
import type { Constraint } from '../generated/index'
import { operators } from '../generated/lists'
import { type Existing, existingIn, expectThat, objectsIn, quote } from './existing'
import { problemOfRegex } from './regex'
import { isAddressRange, isDate, isNumber, isSemver } from './values'

const maxConstraints = 30
const maxValues = 250
const maxValueLength = 100

export function checkConstraints(
  constraints: readonly Constraint[],
  path: string,
  current: unknown,
): readonly ErrorDetail[] {
  const existing = existingIn(current)
  return constraints.flatMap((constraint, index) =>
    checkConstraint(constraint, `${path}/${index}`, existing(constraint)),
  )
}

/** A list that was too long before the change can stay so, but get no constraint of another kind. */
export function checkCount(constraints: readonly Constraint[], path: string, current: unknown): readonly ErrorDetail[] {
  const existing = existingIn(current)
  const isExisting = constraints.length <= objectsIn(current).length && constraints.every(existing)
  const message = `a strategy can have at most ${maxConstraints} constraints, got ${constraints.length}`
  return expectThat(constraints.length <= maxConstraints || isExisting, path, message)
}

/** Nothing is known about the values of a newer operator. */
const known: ReadonlySet<string> = new Set(operators)

function checkConstraint(constraint: Constraint, path: string, existing: Existing | undefined): readonly ErrorDetail[] {
  const { operator, value = '' } = constraint
  if (!known.has(operator)) return []
  if (/^(?:IN|NOT_IN|IN_CIDR|STR_\w+)$/.test(operator)) return checkValues(constraint, path, existing)
  const isInverted = operator === 'REGEX' && constraint.inverted === true && existing?.isInverted !== true
  return [
    ...(existing?.single.has(value) ? [] : checkValue(operator, value, `${path}/value`)),
    ...expectThat(!isInverted, `${path}/inverted`, 'REGEX cannot be inverted'),
  ]
}

function checkValue(operator: string, value: string, path: string): readonly ErrorDetail[] {
  if (value === '') return [{ message: `${operator} needs a value`, path }]
  if (operator === 'REGEX') {
    const problem = problemOfRegex(value)
    return expectThat(problem === undefined, path, `REGEX needs an RE2 regular expression: ${problem}`)
  }
  const { fits, kind } = kindOf(operator)
  return expectThat(fits(value), path, `${operator} needs ${kind}, got ${quote(value)}`)
}

function checkValues(
  { operator, values = [] }: Constraint,
  path: string,
  existing: Existing | undefined,
): readonly ErrorDetail[] {
  const place = `${path}/values`
  const isExisting = (value: string) => existing?.values.has(value) === true
  if (values.length === 0) {
    return expectThat(existing?.isEmpty === true, place, `${operator} needs at least one value`)
  }
  if (values.length > maxValues && !(existing && values.length <= existing.count && values.every(isExisting))) {
    return [{ message: `a constraint can have at most ${maxValues} values, got ${values.length}`, path: place }]
  }
  return values.flatMap((value, index) => (isExisting(value) ? [] : checkListed(operator, value, `${place}/${index}`)))
}

function checkListed(operator: string, value: string, path: string): readonly ErrorDetail[] {
  const { length } = [...value]
  if (length < 1 || length > maxValueLength) {
    return [{ message: `a value must have 1 to ${maxValueLength} characters, got ${length}`, path }]
  }
  const message = `${operator} needs IP addresses or ranges such as 10.0.0.0/8 or 2001:db8::/32, got ${quote(value)}`
  return expectThat(operator !== 'IN_CIDR' || isAddressRange(value), path, message)
}

function kindOf(operator: string): { readonly fits: (value: string) => boolean; readonly kind: string } {
  if (operator.startsWith('NUM_')) return { fits: isNumber, kind: 'a number' }
  if (operator.startsWith('DATE_')) return { fits: isDate, kind: 'a date such as 2026-03-04T12:00:00Z' }
  return { fits: isSemver, kind: 'a version such as 1.2.3' }
}
