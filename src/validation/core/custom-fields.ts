import type { ValidateFunction } from 'ajv/dist/2020'
import { fullFormats } from 'ajv-formats/dist/formats'
import type { CustomFields, CustomFieldValue } from '../../domain/custom-fields/custom-fields'
import type { ErrorDetail } from '../../errors'
import type { CustomFieldsSchemaView } from '../../generated/index'
import type { HostCustomFields } from '../../kernel/host-services'
import { isSlow } from './pattern-cost'
import { badData, echo, firstProblem, step } from './problems'
import { newAjv } from './registry'

/** Maximum number of problems in an error. */
const maxProblems = 20

/**
 * Compiles the option `customFields`, whose shape was checked before.
 *
 * @param warn is called for a pattern that takes long on texts that do not match
 * @throws TypeError for a `default` or a value of an `enum` that its own field does not accept
 */
export function compileCustomFields(
  owner: string,
  { schema, searchable }: CustomFields,
  warn: (name: string, pattern: string) => void,
): HostCustomFields {
  const ajv = newAjv({ formats: { date: fullFormats.date } })
  // A copy: the host app may alter its object later.
  const copy = structuredClone(schema)
  const { properties, required = [] } = copy
  const validators = new Map<string, ValidateFunction>()
  for (const [name, field] of Object.entries(properties)) {
    const validate = ajv.compile(field)
    for (const value of ownValues(field)) {
      const problem = firstProblem(validate, value, [])
      if (problem === undefined) continue
      throw new TypeError(
        `${owner}: "customFields" has an invalid schema: the field ${echo(name)}: its own value ${problem.message}.`,
      )
    }
    if (field.type === 'string' && field.pattern !== undefined && isSlow(field.pattern, field.maxLength)) {
      warn(name, field.pattern)
    }
    validators.set(name, validate)
  }
  const problemOf = (name: string, value: unknown): ErrorDetail | undefined => {
    const validate = validators.get(name)
    if (validate !== undefined) return firstProblem(validate, value, ['body', name])
    return { path: `/body${step(name)}`, message: `${name.slice(0, 100)} is not a custom field of this app` }
  }
  return {
    schema: copy as CustomFieldsSchemaView,
    required,
    searchable,
    fits: (name, value) => problemOf(name, value) === undefined,
    parse(body) {
      if (Array.isArray(body)) throw badData([{ path: '/body', message: `must be an object, got ${echo(body)}` }])
      const entries = Object.entries(body as object)
      const problems = entries.flatMap(([name, value]) => problemOf(name, value) ?? [])
      if (problems.length > 0) throw badData(problems.slice(0, maxProblems))
      return Object.fromEntries(entries) as Record<string, CustomFieldValue>
    },
  }
}

function ownValues(field: { readonly default?: unknown; readonly enum?: readonly unknown[] }): readonly unknown[] {
  return [...(field.enum ?? []), ...(field.default === undefined ? [] : [field.default])]
}
