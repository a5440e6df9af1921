import type { ChangeScope } from '../actions/action'
import { definitionOf } from '../actions/table'
import type { NewChange } from '../change-request'

export function scopeOf(change: Pick<NewChange, 'action'>): ChangeScope {
  return definitionOf(change).scope
}

/** True if one of the changes takes effect in every environment of the project (contract 18). */
export function affectsProject(changes: readonly Pick<NewChange, 'action'>[]): boolean {
  return changes.some((change) => scopeOf(change) === 'project')
}
