import type { ErrorDetail } from '../errors'
import type { Constraint } from '../generated/index'
import { type Check, expectThat, quote } from './detail'
import { problemOfRegex } from './regex'
import { isDate, isNumber, isSemver } from './values'

const maxValues = 250
const maxValueLength = 100

/** Checks each constraint of a list. */
export const checkConstraints: Check<readonly Constraint[]> = (constraints, path) =>
  constraints.flatMap((constraint, index) => checkConstraint(constraint, `${path}/${index}`))

const checkConstraint: Check<Constraint> = (constraint, path) => {
  const { operator, value = '' } = constraint
  if (/^(?:IN|NOT_IN|STR_\w+)$/.test(operator)) return checkValues(constraint, path)
  if (value === '') return [{ message: `${operator} needs a value`, path: `${path}/value` }]
  if (operator === 'REGEX') return checkRegex(constraint, path)
  const { fits, kind } = kindOf(operator)
  return expectThat(fits(value), `${path}/value`, `${operator} needs ${kind}, got ${quote(value)}`)
}

const checkValues: Check<Constraint> = ({ operator, values = [] }, path) => {
  const place = `${path}/values`
  if (values.length === 0) return [{ message: `${operator} needs at least one value`, path: place }]
  if (values.length > maxValues) {
    return [{ message: `a constraint can have at most ${maxValues} values, got ${values.length}`, path: place }]
  }
  return values.flatMap((value, index): readonly ErrorDetail[] => {
    const { length } = [...value]
    const fits = length >= 1 && length <= maxValueLength
    return expectThat(fits, `${place}/${index}`, `a value must have 1 to ${maxValueLength} characters, got ${length}`)
  })
}

const checkRegex: Check<Constraint> = ({ value = '', inverted }, path) => {
  const problem = problemOfRegex(value)
  return [
    ...expectThat(problem === undefined, `${path}/value`, `REGEX needs an RE2 regular expression: ${problem}`),
    ...expectThat(inverted !== true, `${path}/inverted`, 'REGEX cannot be inverted'),
  ]
}

function kindOf(operator: string): { readonly fits: (value: string) => boolean; readonly kind: string } {
  if (operator.startsWith('NUM_')) return { fits: isNumber, kind: 'a number' }
  if (operator.startsWith('DATE_')) return { fits: isDate, kind: 'a date such as 2026-03-04T12:00:00Z' }
  return { fits: isSemver, kind: 'a version such as 1.2.3' }
}
