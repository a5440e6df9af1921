import { cannotFollow } from '../content/follow'
import type { Missing } from './codes'
import { rule } from './rule'

/** The schedule follows one that is pending (contract 25.3). */
export const canFollow = rule(['predecessor', 'follows', 'at'], (current, { predecessor, follows, at }) => {
  if (!follows || predecessor === undefined) return undefined
  return toMissing(cannotFollow(current, predecessor, at))
})

/** The same for a preset schedule, whose predecessor may have been applied before the last approval. */
export const canStillFollow = rule(['predecessor', 'follows', 'at'], (current, { predecessor, follows, at }) => {
  if (!follows || predecessor === undefined) return undefined
  return predecessor.changeRequest?.state === 'Applied'
    ? predecessor.changedSince.map((message) => toMissing(message))
    : toMissing(cannotFollow(current, predecessor, at))
})

function toMissing(message: string): Missing
function toMissing(message: string | undefined): Missing | undefined
function toMissing(message: string | undefined): Missing | undefined {
  return message === undefined ? undefined : { code: 'cannot-follow', message }
}
