/** The property of a constraint that its operator compares with; undefined for operators that only the host knows. */
export function comparedProperty(operator: string): 'value' | 'values' | undefined {
  if (/^(?:NUM_|DATE_|SEMVER_|REGEX$)/.test(operator)) return 'value'
  return /^(?:IN|NOT_IN|IN_CIDR|STR_.+)$/.test(operator) ? 'values' : undefined
}
