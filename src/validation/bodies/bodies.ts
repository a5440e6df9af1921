import { type State, states } from '../../domain/lifecycle'
import type {
  ApproversUpdate,
  CommentSubmission,
  SettingsUpdate,
  StateUpdate,
  TitleUpdate,
} from '../../generated/index'
import { badData, echo, firstProblem, notAmong } from '../core/problems'
import { validatorOfBody } from '../core/registry'

const longestTitle = 200
const longestComment = 10_000
const mostApprovals = 10
const mostApprovers = 10

/** The state that a change request is to go to. */
export interface RequestedState {
  readonly state: State
  /** Trimmed; null for none and for a blank one. */
  readonly comment: string | null
  /** In UTC; null for every state but Scheduled. */
  readonly scheduledAt: string | null
  /** Of what the caller decides on; null where the body names none. */
  readonly digest: string | null
}

/** The settings of an environment as a caller wants them. */
export interface RequestedSettings {
  readonly changeRequestsEnabled: boolean
  /** From 1 to 10; null to leave it as it is. */
  readonly requiredApprovals: number | null
}

/**
 * Reads the body that moves a change request to another state. Whether the time has passed is not looked at. Like all
 * of these it expects a body that has passed `guardBody`.
 *
 * @throws BadDataError with what is wrong first
 */
export function parseStateUpdate(body: unknown): RequestedState {
  const { state } = ownProperties(body)
  if (state !== undefined && !(states as readonly unknown[]).includes(state)) {
    throw badData([notAmong(states, state, ['body', 'state'])])
  }
  const update = checked<StateUpdate>(state === 'Scheduled' ? 'stateUpdateScheduled' : 'stateUpdateUnscheduled', body)
  const { comment = '', digest = null } = update
  return {
    state: update.state,
    comment: comment.trim() === '' ? null : trimmed(comment, 'comment', longestComment),
    scheduledAt: update.state === 'Scheduled' ? new Date(update.scheduledAt).toISOString() : null,
    digest,
  }
}

/**
 * Reads the body that gives a change request a title.
 *
 * @throws BadDataError with what is wrong first
 */
export function parseTitle(body: unknown): string {
  const title = trimmed(checked<TitleUpdate>('title', body).title, 'title', longestTitle)
  const [unsafe] = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.exec(title) ?? []
  if (unsafe === undefined) return title
  const name = unsafe.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  throw badData([{ path: '/body/title', message: `the character U+${name} is not allowed` }])
}

/**
 * Reads the body that adds a comment.
 *
 * @throws BadDataError with what is wrong first
 */
export function parseComment(body: unknown): string {
  return trimmed(checked<CommentSubmission>('commentSubmission', body).text, 'text', longestComment)
}

/**
 * Reads the body that sets whether an environment takes change requests, and how many approvals they need.
 *
 * @throws BadDataError with what is wrong first
 */
export function parseSettings(body: unknown): RequestedSettings {
  const { changeRequestsEnabled, requiredApprovals = null } = checked<SettingsUpdate>('settingsUpdate', body)
  return {
    changeRequestsEnabled,
    requiredApprovals: requiredApprovals === null ? null : Math.min(Math.max(requiredApprovals, 1), mostApprovals),
  }
}

/**
 * Reads the body that says who is asked to approve; each person once, in the order of the first mention.
 *
 * @throws BadDataError with what is wrong first
 */
export function parseApprovers(body: unknown): number[] {
  const people = [...new Set(checked<ApproversUpdate>('approversUpdate', body).reviewers)]
  if (people.length <= mostApprovers) return people
  const message = `must name at most ${mostApprovers} different users, got ${people.length}`
  throw badData([{ path: '/body/reviewers', message }])
}

function ownProperties(body: unknown): { readonly state?: unknown } {
  return typeof body === 'object' ? { ...body } : {}
}

function checked<Body>(kind: Parameters<typeof validatorOfBody>[0], body: unknown): Body {
  const problem = firstProblem(validatorOfBody(kind), body, ['body'])
  if (problem) throw badData([problem])
  return body as Body
}

/** The text without surrounding blanks, if that leaves 1 to `most` code points. */
function trimmed(text: string, property: string, most: number): string {
  const kept = text.trim()
  const { length } = [...kept]
  if (length >= 1 && length <= most) return kept
  const message = `must have 1 to ${most} characters, surrounding blanks not counted, got ${echo(text)}`
  throw badData([{ path: `/body/${property}`, message }])
}
