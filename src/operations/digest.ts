import { createHash } from 'node:crypto'
import type { ChangeRequest } from '../domain/change-request'

/** Tells these changes from any others: what a vote is bound to. */
export function digestOf({ changes }: ChangeRequest): string {
  const content = changes.map(({ id, action, feature, payload }) => [id, action, feature, payload])
  return `sha256:${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`
}
