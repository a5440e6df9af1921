import type { Decision } from '../../domain/decisions/decision'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { StoredSettings } from '../../ports/storage/settings'

/** Ids that a decision may use; all greater than those in what it was made on. */
export interface FreshIds {
  readonly changeRequest: number
  readonly changes: readonly number[]
}

/** What commands for one change request are decided on. */
export interface Loaded {
  readonly current: StoredChangeRequest | undefined
  /** As many ids for changes as all commands need. */
  readonly ids: FreshIds
  /** The settings of the environment, where they were read as well. */
  readonly settings?: StoredSettings | undefined
}

/** A command whose caller waits for the decision. */
export interface Undecided {
  readonly command: {
    /** How many ids for changes `decide` needs. */
    readonly changeIds: number
    /** Pure; it may be called more than once. @throws ChangeRequestError when a rule rejects. */
    decide(current: StoredChangeRequest | undefined, ids: FreshIds, settings?: StoredSettings): Decision
  }
  readonly resolve: (stored: StoredChangeRequest) => void
  readonly reject: (error: unknown) => void
}

/** What several decisions on one load come to; nothing is settled before it is committed. */
export interface Decided<Job> {
  /** What is to be stored; undefined when nothing was altered. */
  readonly last: StoredChangeRequest | undefined
  readonly events: Decision['events']
  readonly removed?: true
  /** Resolves or rejects each job that was decided. */
  readonly settle: readonly (() => void)[]
  /** Not decided, because the change request is removed before them. */
  readonly rest: readonly Job[]
}

/** Decides each job on what the job before it left. A rejected one leaves it as it was. */
export function decideAll<Job extends Undecided>(
  jobs: readonly Job[],
  { current: loaded, ids, settings }: Loaded,
): Decided<Job> {
  const events: Decision['events'][number][] = []
  const settle: (() => void)[] = []
  let current = loaded
  let last: StoredChangeRequest | undefined
  let used = 0
  for (const [index, { command, resolve, reject }] of jobs.entries()) {
    const changes = ids.changes.slice(used, used + command.changeIds)
    used += command.changeIds
    try {
      const decision = command.decide(current, { ...ids, changes }, settings)
      const stored = after(current, decision)
      events.push(...decision.events)
      if (stored !== current) last = stored
      current = stored
      settle.push(() => resolve(stored))
      if (decision.removed) return { last, events, settle, removed: true, rest: jobs.slice(index + 1) }
    } catch (error) {
      settle.push(() => reject(error))
    }
  }
  return { last, events, settle, rest: [] }
}

/** A decision that alters nothing makes no new version. */
function after(current: StoredChangeRequest | undefined, { changeRequest, removed }: Decision): StoredChangeRequest {
  if (current !== undefined && changeRequest === current.changeRequest && !removed) return current
  return { version: (current?.version ?? 0) + 1, changeRequest }
}
