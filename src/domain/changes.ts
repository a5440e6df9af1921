import { ChangeRequestError } from '../errors'
import type { Author } from './author'
import type { Change, ChangeRequest, JsonValue, NewChange } from './change-request'
import { changeRequestEvent, type EventDraft } from './events'
import { nextState } from './lifecycle'
import { votesAfterEdit } from './review'

/** What a decision leaves behind: the new aggregate and the events that tell of it, to be stored together. */
export interface Decision {
  readonly changeRequest: ChangeRequest
  readonly events: readonly EventDraft[]
}

export interface Proposal {
  readonly changes: readonly NewChange[]
  /** One id a change, rising. */
  readonly changeIds: readonly number[]
  readonly author: Author
  readonly now: string
  /** The most changes that a change request may hold. */
  readonly maxChanges: number
}

export interface NewChangeRequest {
  readonly id: number
  readonly project: string
  readonly environment: string
  readonly minApprovals: number
}

/** A new Draft with the proposed changes (contract 3.3). */
export function createChangeRequest(fresh: NewChangeRequest, proposal: Proposal): Decision {
  const { author, now } = proposal
  const empty: ChangeRequest = {
    ...fresh,
    title: null,
    state: 'Draft',
    changes: [],
    approvals: [],
    rejections: [],
    comments: [],
    requestedApprovers: [],
    createdBy: author.person,
    createdAt: now,
    stateTimestamps: { Draft: now },
    schedule: null,
  }
  const { changeRequest, events } = addChanges(empty, proposal)
  const featureName = onlyFeature(changeRequest)
  return {
    changeRequest,
    events: [changeRequestEvent('change-request-created', changeRequest, { author, now, featureName }), ...events],
  }
}

/** The same change request with the proposed changes at its end; after a review it is back in review, unapproved. */
export function addChanges(current: ChangeRequest, proposal: Proposal): Decision {
  const { author, now, maxChanges } = proposal
  const state = nextState(current.state, 'change')
  if (state === undefined) {
    throw new ChangeRequestError('ConflictError', `A change request in the state ${current.state} takes no changes.`)
  }
  const size = current.changes.length + proposal.changes.length
  if (size > maxChanges) {
    throw new ChangeRequestError(
      'ExceedsLimitError',
      `A change request holds at most ${maxChanges} changes; this one has ${current.changes.length}, and ${proposal.changes.length} more were sent.`,
    )
  }
  const added = proposal.changes.map((change, index) => stored(change, proposal.changeIds[index], author, now))
  const moved = state !== current.state
  const changeRequest: ChangeRequest = {
    ...current,
    ...(state === 'Draft' ? {} : votesAfterEdit()),
    state,
    stateTimestamps: moved ? { ...current.stateTimestamps, [state]: now } : current.stateTimestamps,
    changes: [...current.changes, ...added],
  }
  return { changeRequest, events: added.map((change) => changeAdded(changeRequest, change, author, now)) }
}

function stored(change: NewChange, id: number | undefined, author: Author, now: string): Change {
  if (id === undefined) throw new Error('A change was left without an id.')
  const { action, feature, payload } = change
  return { id, action, feature, payload, createdBy: author.person, createdAt: now }
}

function changeAdded(changeRequest: ChangeRequest, change: Change, author: Author, now: string): EventDraft {
  return changeRequestEvent('change-added', changeRequest, {
    author,
    now,
    featureName: change.feature,
    facts: { changeId: change.id, action: change.action, ...subject(change), payload: change.payload },
  })
}

function subject(change: Change): { [key: string]: JsonValue } {
  return change.feature === null ? { segmentId: segmentId(change) } : { feature: change.feature }
}

/** The segment that a segment change is about. */
export function segmentId(change: NewChange): number {
  return (change.payload as { id: number }).id
}

/** The flag that all changes are about, if it is one and the same. */
function onlyFeature({ changes }: ChangeRequest): string | null {
  const first = changes[0]?.feature ?? null
  return changes.every((change) => change.feature === first) ? first : null
}

/** The changes by flag, flags in the order of their lowest change id (contract 5.1). */
export function groupByFeature(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    if (change.feature === null) continue
    const group = groups.get(change.feature)
    if (group) group.push(change)
    else groups.set(change.feature, [change])
  }
  return groups
}

/** The changes of segments, by id (contract 5.1). */
export function segmentChanges(changes: readonly Change[]): Change[] {
  return changes.filter((change) => change.feature === null)
}
