import type { PlaygroundRequest } from '../../generated/index'
import { checkBody } from '../../validation/check-body'

/**
 * Reads the body of the playground, after `guardBody`.
 *
 * @throws BadDataError with the first problem
 */
export function parsePlayground(body: unknown): PlaygroundRequest {
  return checkBody<PlaygroundRequest>('playgroundRequest', body)
}
