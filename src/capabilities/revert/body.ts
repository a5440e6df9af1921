import type { RevertRequest } from '../../generated/index'
import { checkBody } from '../../validation/check-body'

/**
 * Reads the body that reverts a change request, after `guardBody`.
 *
 * @returns whether changes that nothing takes back may stay as they are
 * @throws BadDataError with the first problem
 */
export function parseRevert(body: unknown): boolean {
  return checkBody<RevertRequest>('revert', body).partial === true
}
