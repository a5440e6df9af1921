import type { TargetPart } from '../../domain/actions/action'
import type { JsonValue, NewChange } from '../../domain/change-request'
import type { ErrorDetail } from '../../errors'
import type { Action } from '../../generated/index'
import { operators } from '../../generated/lists'
import { notAmong } from '../../validation/core/problems'

/** The actions whose payload has constraints. */
export const withConstraints: readonly Action[] = [
  'addStrategy',
  'updateStrategy',
  'updateMilestoneStrategy',
  'updateSegment',
]

/**
 * The first operator of the change that is neither known nor an operator of its target: a strategy or segment with a newer
 * operator can still be edited and restored (contract 4.3).
 *
 * @param part what the target has, or what a revert restores
 * @param place the path of the change in the request; left out for a change that no caller sent
 */
export function operatorProblem(
  { action, payload }: NewChange,
  part: TargetPart,
  place?: readonly (string | number)[],
): ErrorDetail | undefined {
  if (!withConstraints.includes(action)) return undefined
  const sent = operatorsIn(payload)
  const allowed = new Set([...operators, ...operatorsIn(part)])
  const refused = sent.findIndex((operator) => !allowed.has(operator))
  if (refused === -1) return undefined
  const keys = place === undefined ? [] : [...place, 'payload', 'constraints', refused]
  return notAmong(operators, sent[refused], [...keys, 'operator'])
}

function operatorsIn(part: JsonValue | TargetPart): readonly unknown[] {
  const { constraints } = (part ?? {}) as { readonly constraints?: unknown }
  return Array.isArray(constraints) ? constraints.map((constraint) => constraint?.operator) : []
}
