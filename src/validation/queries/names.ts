import schema from '#schemas/shared/name.json'

const pattern = new RegExp(schema.pattern, 'u')

/** True for a well-formed name of a project, an environment or a flag (contract 2.1). */
export function isName(value: string): boolean {
  return value.length <= schema.maxLength && pattern.test(value)
}
