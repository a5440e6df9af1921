import type { NewChange } from '../domain/change-request'
import type { ChangeLimits, CommentLimits } from '../domain/content/size'
import type { Action, RecordedEvent } from '../generated/index'
import type { Limits } from '../options/limits'
import type { ResolvedOptions } from '../options/router-options'
import type { Logger } from '../ports/logger'
import type { EventFeed } from './events/event-feed'
import type { AggregateWriter } from './writer/aggregate-writer'

/** What the host brings and most operations use. */
type Ports = Pick<
  ResolvedOptions,
  | 'storage'
  | 'authorize'
  | 'directory'
  | 'users'
  | 'flags'
  | 'validate'
  | 'playground'
  | 'approvalRules'
  | 'logger'
  | 'clock'
>

/** What the routes and operations of one router share. */
export interface Services extends Ports {
  /** All other options of the router. */
  readonly options: Omit<ResolvedOptions, keyof Ports>
  readonly writer: AggregateWriter
  /** Where subscribers of the log wait for new events. */
  readonly feed: EventFeed
  /** Warns of a fault of the host that every request would meet: once for each hook. */
  readonly warnOnce: (hook: string, message: string) => void
  /** What the gateway could apply when the router was made; undefined for all actions. */
  readonly actions: readonly Action[] | undefined
  /** @throws BadDataError unless it is an event of a known type and shape. */
  readonly parseEvent: (event: unknown) => RecordedEvent
  /** True for a change that may be proposed: its payload fits the schema of its action, which the gateway supports. */
  readonly accepts: (change: NewChange) => boolean
  /** Tells the runner of this process that something was scheduled. */
  readonly onScheduled?: () => void
}

/** How many comments a change request takes. */
export function commentLimitsOf({ commentsPerChangeRequest, commentsBytes }: Limits): CommentLimits {
  return { comments: commentsPerChangeRequest, bytes: commentsBytes }
}

/** How much a change request may hold. */
export function changeLimitsOf({ changesPerChangeRequest, changesBytes, targetsBytes }: Limits): ChangeLimits {
  return { changes: changesPerChangeRequest, bytes: changesBytes, targetsBytes }
}

/** Logs the first warning about each hook, and no further one. */
export function createWarnOnce(logger: Logger): Services['warnOnce'] {
  const warned = new Set<string>()
  return (hook, message) => {
    if (warned.has(hook)) return
    warned.add(hook)
    logger.warn({ hook }, message)
  }
}

/** The present time as it is stored and served. */
export function now({ clock }: Pick<Services, 'clock'>): string {
  return clock().toISOString()
}
