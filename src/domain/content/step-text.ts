import type { Comment } from '../change-request'
import { bytesOfComments, type CommentLimits, jsonBytes } from './size'

const ending = ' […]'

/**
 * The text of a step that a change request can take repeatedly. It is cut where the room for the texts of steps ends, and never
 * rejected (contract 2.2). Null if there is no room.
 */
export function fittingText(
  comments: readonly Comment[],
  text: string | null,
  { bytesWithSteps }: Pick<CommentLimits, 'bytesWithSteps'>,
): string | null {
  if (text === null) return null
  const room = bytesWithSteps - bytesOfComments(comments)
  return textBytes(text) <= room ? text : cut(text, room - textBytes(ending))
}

function cut(text: string, bytes: number): string | null {
  let kept = ''
  let left = bytes
  for (const character of text) {
    left -= textBytes(character)
    if (left < 0) break
    kept += character
  }
  return kept === '' ? null : kept + ending
}

/** As JSON, without its quotes. */
function textBytes(text: string): number {
  return jsonBytes(text) - 2
}
