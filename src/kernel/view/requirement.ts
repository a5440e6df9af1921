import type { Requirement } from '../../domain/steps/requirements'
import type { RequirementView } from '../../generated'
import { toPersonView } from '../host/person-views'
import type { Described } from './describe'

export function toRequirementView({ from, approvedBy, ...rest }: Requirement, described: Described): RequirementView {
  return {
    ...rest,
    from: toFromView(from),
    approvedBy: approvedBy.map((person) => toPersonView(person, described)),
  }
}

export function toFromView(from: Requirement['from']): RequirementView['from'] {
  return from && { groups: [...from.groups], users: [...from.users] }
}
