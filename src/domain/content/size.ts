import type { Change, Comment } from '../change-request'

export interface CommentLimits {
  readonly comments: number
  /** Of all comments as JSON; without the room that is reserved for the texts of steps. */
  readonly bytes: number
  readonly bytesWithSteps: number
}

const maxCommentsPerUser = 200

export interface ChangeLimits {
  readonly changes: number
  readonly bytes: number
  /** Of the bases of all changes as JSON, and of what they restore (contract 16). */
  readonly targetsBytes: number
}

/** The same for comments as {@link excessOfChanges}. Deleted ones do not count. */
export function excessOfComments(
  before: readonly Comment[],
  after: readonly Comment[],
  limits: Pick<CommentLimits, 'comments' | 'bytes'>,
): string | undefined {
  const [existing, all] = [withoutDeleted(before), withoutDeleted(after)]
  if (all.length > existing.length) {
    if (all.length > limits.comments)
      return `A change request can have at most ${limits.comments} comments. ${withAStep}`
    const author = all.at(-1)?.createdBy.id
    const own = all.filter(({ createdBy }) => createdBy.id === author).length
    if (own > maxCommentsPerUser) {
      return `You can have at most ${maxCommentsPerUser} comments in a change request. ${withAStep}`
    }
  }
  const bytes = jsonBytes(all)
  if (bytes <= limits.bytes || bytes <= jsonBytes(existing)) return undefined
  return (
    `The comments of a change request can have at most ${limits.bytes} bytes as JSON; with this one they have ${bytes}. ` +
    `Shorten it. ${withAStep}`
  )
}

const withAStep = 'A text that you send with a step, such as an approval, is still accepted.'

function withoutDeleted(comments: readonly Comment[]): readonly Comment[] {
  return comments.filter(({ text }) => text !== null)
}

/** Why the changes exceed a limit; undefined if they do not, or if they are neither more nor larger than before. */
export function excessOfChanges(
  before: readonly Change[],
  after: readonly Change[],
  limits: ChangeLimits,
): string | undefined {
  if (after.length > before.length && after.length > limits.changes) {
    return (
      `A change request can have at most ${limits.changes} changes; this one has ${before.length}, and ` +
      `${after.length - before.length} more were sent.`
    )
  }
  const size = sizeOf(after)
  const exceeds = (what: keyof Size) => size[what] > limits[what] && size[what] > sizeOf(before)[what]
  if (exceeds('bytes')) {
    return `The changes of a change request can have at most ${limits.bytes} bytes as JSON; these have ${size.bytes}.`
  }
  if (!exceeds('targetsBytes')) return undefined
  return (
    `The targets of the changes can have at most ${limits.targetsBytes} bytes as JSON; these have ` +
    `${size.targetsBytes}. Use several change requests.`
  )
}

type Size = Pick<ChangeLimits, 'bytes' | 'targetsBytes'>

const measured = new WeakMap<Change, Size>()

/** The size of the list as JSON. Many proposals can be decided on one load, so each change is measured once. */
function sizeOf(changes: readonly Change[]): Size {
  const size = { bytes: 1, targetsBytes: 0 }
  for (const change of changes) {
    let own = measured.get(change)
    if (own === undefined) {
      // What the caller did not send.
      const { base, baseHash, rebasedAt, replaces, restores, ...proposed } = change
      own = { bytes: jsonBytes(proposed), targetsBytes: jsonBytes(base) + jsonBytes(restores) }
      measured.set(change, own)
    }
    size.bytes += own.bytes + 1
    size.targetsBytes += own.targetsBytes
  }
  return size
}

/** 0 for undefined, which has no JSON. */
function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

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
  return text === null ? null : cutText(text, bytesWithSteps - jsonBytes(withoutDeleted(comments)))
}

/** The text, or as much of it as has room: bytes as JSON. Null if there is no room. */
export function cutText(text: string, room: number): string | null {
  if (textBytes(text) <= room) return text
  let kept = ''
  let left = room - textBytes(ending)
  for (const character of text) {
    left -= textBytes(character)
    if (left < 0) break
    kept += character
  }
  return kept === '' ? null : kept + ending
}

/** As JSON, without its quotes. */
export function textBytes(text: string): number {
  return jsonBytes(text) - 2
}
