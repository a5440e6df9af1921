import type { Decision } from '../../domain/decisions/decision'
import { byInstant } from '../../domain/instants'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { StoredSettings } from '../../ports/storage/settings'
import type { TraceScope } from '../../ports/telemetry'

/** New ids for a decision, greater than all ids in the loaded content. */
export interface FreshIds {
  readonly changeRequest: number
  readonly changes: readonly number[]
}

export interface Loaded {
  readonly current: StoredChangeRequest | undefined
  /** The ids for changes that all commands need. */
  readonly ids: FreshIds
  readonly settings?: StoredSettings | undefined
}

/** Returns the current time. */
export type Clock = () => Date

export interface Undecided {
  readonly changeIds: number
  /** Pure; it may be called more than once. @throws ChangeRequestError if a rule rejects. */
  decide(current: StoredChangeRequest | undefined, ids: FreshIds, settings?: StoredSettings): Decision
}

/** The events, with the trace context of the step that they belong to. */
export function traced(events: Decision['events'], trace: string | undefined): Decision['events'] {
  return trace === undefined ? events : events.map((event) => ({ ...event, trace }))
}

export interface UndecidedJob<Command extends Undecided = Undecided> {
  readonly command: Command
  /** The span that the job belongs to. */
  readonly scope: TraceScope
  readonly resolve: (stored: StoredChangeRequest) => void
  readonly reject: (error: unknown) => void
}

/**
 * Decides each job on the result of the job before it. A rejected job changes nothing. No job is resolved before the commit:
 * `settle` does it after that. `rest` was not decided, because a job before it removed the change request.
 */
export function decideAll<Job extends UndecidedJob>(
  jobs: readonly Job[],
  { current: loaded, ids, settings }: Loaded,
  clock: Clock,
) {
  const events: Decision['events'][number][] = []
  const settle: (() => void)[] = []
  let current = loaded
  /** The change request to store; undefined if nothing changed. */
  let last: StoredChangeRequest | undefined
  let used = 0
  for (const [index, { command, scope, resolve, reject }] of jobs.entries()) {
    const changes = ids.changes.slice(used, used + command.changeIds)
    used += command.changeIds
    try {
      const decision = command.decide(current, { ...ids, changes }, settings)
      const stored = isUnchanged(current, decision) ? current : nextVersion(current, decision, clock)
      events.push(...traced(decision.events, scope.traceparent))
      if (stored !== current) last = stored
      current = stored
      settle.push(() => resolve(stored))
      if (decision.removed) return { last, events, settle, removed: true as const, rest: jobs.slice(index + 1) }
    } catch (error) {
      settle.push(() => reject(error))
    }
  }
  return { last, events, settle, rest: [] }
}

/** A decision that changes nothing creates no new version. */
function isUnchanged(
  current: StoredChangeRequest | undefined,
  { changeRequest, removed }: Decision,
): current is StoredChangeRequest {
  return current !== undefined && changeRequest === current.changeRequest && !removed
}

/** The change request that the decision stores, with the time of the write. */
export function nextVersion(
  current: StoredChangeRequest | undefined,
  { changeRequest }: Pick<Decision, 'changeRequest'>,
  clock: Clock,
): StoredChangeRequest {
  const [before, now] = [changeRequest.updatedAt, clock().toISOString()]
  // A clock can be set back.
  const updatedAt = byInstant(before, now) > 0 ? before : now
  return { version: (current?.version ?? 0) + 1, changeRequest: { ...changeRequest, updatedAt } }
}
