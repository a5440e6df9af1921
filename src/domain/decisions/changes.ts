import { ChangeRequestError } from '../../errors'
import { copyOf } from '../actions/shared'
import type { Author, Change, ChangeRequest, ProposedChange, VoidedApproval } from '../change-request'
import { withoutReports } from '../checks/check'
import { withAuthor } from '../content/authors'
import { outdateObjections } from '../content/objections'
import { phraseOf } from '../content/phrases'
import { type ChangeLimits, excessOfChanges } from '../content/size'
import { type Attribution, approversEvent, changeEvent, changeRequestEvent } from '../events/events'
import type { FlagState } from '../flag-state'
import { baseOf, type Hash, stillRestored } from '../flags/base'
import { endPreset } from '../schedule/preset'
import type { Missing } from '../steps/codes'
import type { Facts } from '../steps/facts'
import { type FactsOf, requireStep } from '../steps/steps'
import { votesAfterEdit } from '../steps/votes'
import { type Decision, enterState, ownMinimum, type StepCommand, withMinimum } from './decision'

export interface AddCommand extends Pick<Attribution, 'now'> {
  readonly facts: FactsOf<'add'>
  readonly changes: readonly Proposed[]
  /** Where the body has each change, as a JSON pointer; by default that of a list. */
  readonly pathOf?: (index: number) => string
  /** One id for each change, ascending. */
  readonly changeIds: readonly number[]
  readonly author: Author
  readonly limits: ChangeLimits
  readonly hash: Hash
}

type Fresh = Pick<
  ChangeRequest,
  'id' | 'project' | 'environment' | 'copies' | 'reverts' | 'restores' | 'customFields'
> & {
  readonly title?: string
  readonly requestedApprovers?: readonly number[]
}

export function emptyDraft(fresh: Fresh, { person }: Author, now: string, minApprovals = 0): ChangeRequest {
  return {
    title: null,
    requestedApprovers: [],
    ...fresh,
    minApprovals,
    state: 'Draft',
    changes: [],
    approvals: [],
    rejections: [],
    comments: [],
    createdBy: person,
    createdAt: now,
    updatedAt: now,
    stateTimestamps: { Draft: now },
    schedule: null,
  }
}

/** A new Draft with the proposed changes (contract 3.3). */
export function createChangeRequest(
  fresh: Fresh,
  command: AddCommand,
  link: { readonly reverts?: number; readonly copies?: number } = {},
): Decision {
  const { facts, author, now } = command
  const { changeRequest, events } = addChanges(emptyDraft(fresh, author, now, facts.requiredApprovals), command)
  const by = { author }
  const created = changeRequestEvent('change-request-created', changeRequest, { by, now }, link)
  const asks = changeRequest.requestedApprovers.length > 0
  const asked = asks ? [approversEvent(changeRequest, { by, now }, [])] : []
  return { changeRequest, events: [created, ...events, ...asked] }
}

export function addChanges(current: ChangeRequest, command: AddCommand): Decision {
  const { facts, author, now, limits, hash } = command
  const origin = { author, now, hash, flags: facts.proposal.flags }
  const added = command.changes.map((change, index) => stored(change, command.changeIds[index], origin))
  const changes = [...current.changes, ...added]
  requireStep('add', current, facts, {
    excess: excessOfChanges(current.changes, changes, limits),
    outdatedBases: outdatedBases(command.changes, added, command),
  })
  const changeRequest = withChanges(withAuthor(current, author), 'change-added', changes, { author, now, facts })
  const by = { author }
  return { changeRequest, events: added.map((one) => changeEvent('change-added', changeRequest, { by, now }, one)) }
}

export interface EditCommand extends StepCommand<'edit'>, Pick<AddCommand, 'limits' | 'hash'> {
  readonly changeId: number
  readonly change: ProposedChange
  readonly newId: number
}

/** Replaces a change by a new one with a new id (contract 3.5). */
export function editChange(current: ChangeRequest, command: EditCommand): Decision {
  const { by, now, facts, limits, hash, change, newId } = command
  const old = findChange(current, command.changeId)
  const origin = { author: by.author, now, flags: facts.proposal.flags, hash }
  const fresh = { ...stored({ ...change, ...stillRestored(change, old) }, newId, origin), replaces: old.id }
  const changes = [...current.changes.filter(({ id }) => id !== old.id), fresh]
  requireStep('edit', current, facts, {
    excess: excessOfChanges(current.changes, changes, limits),
    outdatedBases: outdatedBases([change], [fresh], { facts, pathOf: () => '/body' }),
  })
  const changeRequest = withChanges(withAuthor(current, by.author), 'change-edited', changes, {
    author: by.author,
    now,
    facts,
  })
  const event = changeEvent('change-edited', changeRequest, { by, now }, fresh, old)
  return { changeRequest, events: [event] }
}

export function discardChange(
  current: ChangeRequest,
  { by, now, facts }: StepCommand<'discardChange'>,
  changeId: number,
): Decision {
  const old = findChange(current, changeId)
  const left = current.changes.filter(({ id }) => id !== old.id)
  requireStep('discardChange', current, facts, { leavesNone: left.length === 0 })
  const changeRequest = withChanges(current, 'change-discarded', left, { author: by.author, now, facts })
  const event = changeEvent('change-discarded', changeRequest, { by, now }, null, old)
  return { changeRequest, events: [event] }
}

/** Deletes the draft; its events stay (contract 3.5). */
export function discardDraft(current: ChangeRequest, { by, now, facts }: StepCommand<'discard'>): Decision {
  requireStep('discard', current, facts, {})
  const event = changeRequestEvent('change-request-discarded', current, { by, now })
  return { changeRequest: current, events: [event], removed: true }
}

/** @throws NotFoundError when the change request has no such change. */
export function findChange({ id, changes }: ChangeRequest, changeId: number): Change {
  const change = changes.find((one) => one.id === changeId)
  if (change !== undefined) return change
  throw new ChangeRequestError('NotFoundError', `The change request ${id} has no change ${changeId}.`)
}

/** Other content, which nobody has reviewed: what others did about the content before does not count for it. */
export function asUnreviewed(
  current: ChangeRequest,
  changes: readonly Change[],
  voiding: Pick<VoidedApproval, 'at' | 'causedBy'> & { readonly cause: 'edit' | 'rebase' },
): ChangeRequest {
  const { at, cause, causedBy } = voiding
  const unreported = withoutReports(endPreset(current, at, cause, causedBy))
  return { ...unreported, ...votesAfterEdit(current, changes, voiding), ...outdateObjections(current), changes }
}

/** A change request that was reviewed returns to review without approvals, in the same step (contract 6.3). */
function withChanges(
  current: ChangeRequest,
  type: 'change-added' | 'change-edited' | 'change-discarded',
  changes: readonly Change[],
  { author, now, facts }: Pick<AddCommand, 'author' | 'now'> & { readonly facts: Pick<Facts, 'gatedMinimum'> },
): ChangeRequest {
  const edited = asUnreviewed(current, changes, { at: now, cause: 'edit', causedBy: author.person })
  const changed = withMinimum(edited, ownMinimum(current), facts.gatedMinimum)
  return enterState(changed, type, now)
}

/** A change that is not stored yet. A revert and a copy know what it restores. */
type Proposed = ProposedChange & Pick<Change, 'restores'>

/** The changes whose base, which is about to be stored, is not the one that the caller saw; none if the flags are unread. */
function outdatedBases(
  proposed: readonly ProposedChange[],
  based: readonly Change[],
  command: Pick<AddCommand, 'pathOf'> & { readonly facts: Pick<Facts, 'proposal'> },
): readonly Missing[] {
  const { facts, pathOf = (index) => `/body/${index}` } = command
  if (facts.proposal.rejected !== undefined) return []
  return based.flatMap((change, index): Missing | [] => {
    const expected = proposed[index]?.expected
    if (expected === undefined || expected === change.baseHash) return []
    const message = `${phraseOf(change)}: its target was edited after you read it. Read it again before you propose the change.`
    return { code: 'outdated-base', message, path: pathOf(index) }
  })
}

interface Origin extends Pick<AddCommand, 'author' | 'now' | 'hash'> {
  /** The current flags, from which the bases are copied; undefined without a gateway. */
  readonly flags: FlagState | undefined
}

export function stored(change: Proposed, id: number | undefined, { author, now, flags, hash }: Origin): Change {
  if (id === undefined) throw new Error('A change was left without an id.')
  const { action, feature, restores } = change
  // Copies: the host app may alter the body of its request later.
  const payload = copyOf(change.payload)
  return {
    ...{ id, action, feature, payload, createdBy: author.person, createdAt: now },
    ...baseOf(change, flags, hash),
    ...(restores !== undefined && { restores: copyOf(restores) }),
  }
}
