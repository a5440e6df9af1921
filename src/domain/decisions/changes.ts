import { ChangeRequestError } from '../../errors'
import { ownMinimum, withMinimum } from '../approval/minimum'
import type { Author, Change, ChangeRequest, NewChange } from '../change-request'
import { type ChangeLimits, excessOfChanges } from '../content/size'
import { changeEvent } from '../events/change-event'
import { changeRequestEvent } from '../events/events'
import type { FlagState } from '../flag-state'
import { baseOf, type Hash } from '../flags/base'
import { nextState, type State } from '../lifecycle'
import type { Missing } from '../steps/codes'
import { noOptions, type StepFacts } from '../steps/facts'
import { requireStep } from '../steps/steps'
import { votesAfterEdit } from '../steps/votes'
import { type Decision, type DecisionOccasion, enterState } from './decision'

export interface Proposal {
  readonly changes: readonly NewChange[]
  /** One id for each change, ascending. */
  readonly changeIds: readonly number[]
  readonly author: Author
  readonly now: string
  readonly limits: ChangeLimits
  /** What the validator of the host finds wrong with the changes. */
  readonly invalid?: readonly Missing[]
  /** The flags as they are now, from which the bases are taken; undefined where that is not known. */
  readonly present?: FlagState | undefined
  /** Of the bases. */
  readonly hash: Hash
  /** The highest minimum of all gated environments of the project; not needed where no change affects the whole project. */
  readonly gatedMinimum?: number | undefined
}

export interface NewChangeRequest {
  readonly id: number
  readonly project: string
  readonly environment: string
  readonly minApprovals: number
  readonly title?: string
  /** Number of the change request that it takes back. */
  readonly reverts?: number
}

/** A new Draft with the proposed changes (contract 3.3). */
export function createChangeRequest(fresh: NewChangeRequest, proposal: Proposal): Decision {
  const { author, now } = proposal
  const empty: ChangeRequest = {
    title: null,
    ...fresh,
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
  const linked = fresh.reverts === undefined ? {} : { reverts: fresh.reverts }
  return {
    changeRequest,
    events: [changeRequestEvent('change-request-created', changeRequest, { by: { author }, now }, linked), ...events],
  }
}

/** Adds the proposed changes at the end. */
export function addChanges(current: ChangeRequest, proposal: Proposal): Decision {
  const { author, now, limits, invalid = [] } = proposal
  const added = proposal.changes.map((change, index) => stored(change, proposal.changeIds[index], proposal))
  const changes = [...current.changes, ...added]
  const excess = excessOfChanges(current.changes, changes, limits)
  requireStep('add', current, factsOfProposal(author), { excess, invalid })
  const changeRequest = withChanges(current, changes, proposal)
  return {
    changeRequest,
    events: added.map((change) => changeEvent('change-added', changeRequest, { by: { author }, now }, change)),
  }
}

export interface Edit extends DecisionOccasion {
  /** The change to be replaced or removed. */
  readonly changeId: number
}

/** Replaces one change by another, which gets a new id (contract 3.5). */
export function editChange(
  current: ChangeRequest,
  edit: Edit & Pick<Proposal, 'limits' | 'invalid' | 'present' | 'hash' | 'gatedMinimum'>,
  change: NewChange,
  newId: number | undefined,
): Decision {
  const { by, now, facts, limits, invalid = [], present, hash } = edit
  const old = findChange(current, edit.changeId)
  const fresh = stored(change, newId, { author: by.author, now, present, hash })
  const changes = [...current.changes.filter(({ id }) => id !== old.id), fresh]
  requireStep('edit', current, facts, { excess: excessOfChanges(current.changes, changes, limits), invalid })
  const changeRequest = withChanges(current, changes, edit)
  return {
    changeRequest,
    events: [changeEvent('change-edited', changeRequest, { by, now }, fresh, old)],
  }
}

/** Removes one change; only a Draft may be left empty. */
export function discardChange(current: ChangeRequest, edit: Edit & Pick<Proposal, 'gatedMinimum'>): Decision {
  const { by, now, facts, changeId } = edit
  const old = findChange(current, changeId)
  const left = current.changes.filter(({ id }) => id !== old.id)
  requireStep('discardChange', current, facts, { leavesNone: left.length === 0 })
  const changeRequest = withChanges(current, left, edit)
  return {
    changeRequest,
    events: [changeEvent('change-discarded', changeRequest, { by, now }, null, old)],
  }
}

/** Deletes the draft; its events stay (contract 3.5). */
export function discardDraft(current: ChangeRequest, { by, now, facts }: DecisionOccasion): Decision {
  requireStep('discard', current, facts)
  const event = changeRequestEvent('change-request-discarded', current, { by, now })
  return { changeRequest: current, events: [event], removed: true }
}

/** @throws NotFoundError when the change request has no such change. */
export function findChange({ id, changes }: ChangeRequest, changeId: number): Change {
  const change = changes.find((one) => one.id === changeId)
  if (change !== undefined) return change
  throw new ChangeRequestError('NotFoundError', `The change request ${id} has no change ${changeId}.`)
}

/** After a review it is back in review, unapproved, in the same step (contract 6.3). */
function withChanges(
  current: ChangeRequest,
  changes: readonly Change[],
  { now, gatedMinimum }: Pick<Proposal, 'now' | 'gatedMinimum'>,
): ChangeRequest {
  const changed = withMinimum({ ...current, ...votesAfterEdit(), changes }, ownMinimum(current), gatedMinimum)
  return enterState(changed, nextState(current.state, 'change') as State, now)
}

/** A proposal adds to the open change request of its author, and the route has asked for the permission. */
function factsOfProposal({ person }: Author): StepFacts {
  return { caller: { id: person.id, held: new Set(['CREATE_CHANGE_REQUEST']) }, options: noOptions }
}

export function stored(
  change: NewChange,
  id: number | undefined,
  { author, now, present, hash }: Pick<Proposal, 'author' | 'now' | 'present' | 'hash'>,
): Change {
  if (id === undefined) throw new Error('A change was left without an id.')
  const { action, feature, payload } = change
  const base = baseOf(change, present, hash)
  return { id, action, feature, payload, createdBy: author.person, createdAt: now, ...base }
}
