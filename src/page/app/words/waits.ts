import { counted } from './numbers'
import { strong, type Words } from './spans'

/** Approvals that a change request needs. */
export interface RequirementLike {
  readonly name: string
  readonly approvals: number
  readonly given: number
}

export function isMet({ given, approvals }: RequirementLike): boolean {
  return given >= approvals
}

/** `1 of 2 · payments owners missing`: of the minimum the number, of the rules the names. */
export function waitsWords(requirements: readonly RequirementLike[]): Words {
  const minimum = requirements.find(({ name }) => name === 'minimum')
  const rules = requirements.filter((one) => one.name !== 'minimum' && !isMet(one)).map(({ name }) => name)
  const number = minimum ? [strong(`${minimum.given} of ${minimum.approvals}`)] : []
  if (rules.length > 0) return [...number, number.length > 0 ? ' · ' : '', `${rules.join(', ')} missing`]
  if (minimum && !isMet(minimum))
    return [...number, ` · ${counted(minimum.approvals - minimum.given, 'approval')} missing`]
  return [...number, number.length > 0 ? ' · ' : '', 'nothing is missing']
}
