import type { Rebase } from '../../generated/index'
import { checkBody } from '../../validation/check-body'

/**
 * Reads the body that rebases a change request, after `guardBody`. Of a change that is named twice the last counts.
 *
 * @throws BadDataError with the first problem
 */
export function parseRebase(body: unknown) {
  const { take = null, changes = [] } = checkBody<Rebase>('rebase', body)
  return { others: take, named: new Map(changes.map((change) => [change.id, change.take])) }
}
