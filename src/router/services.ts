import { acceptsChange } from '../capabilities/proposals/changes-body'
import { EventFeed } from '../kernel/events/event-feed'
import { createWarnOnce, type Services } from '../kernel/services'
import { AggregateWriter } from '../kernel/writer/aggregate-writer'
import type { ResolvedOptions } from '../options/router-options'
import { parseRecordedEvent } from '../validation/recorded-event'

/** Creates what the routes and operations of one router share. */
export function createServices(resolved: ResolvedOptions, onScheduled: () => void): Services {
  const {
    storage,
    authorize,
    directory,
    users,
    flags,
    validate,
    playground,
    approvalRules,
    logger,
    clock,
    ...options
  } = resolved
  const actions = flags?.actions && [...flags.actions]
  return {
    storage,
    authorize,
    directory,
    users,
    flags,
    validate,
    playground,
    approvalRules,
    logger,
    clock,
    options,
    writer: new AggregateWriter(storage, options.linkBase),
    feed: new EventFeed(storage, options.limits.followPollMs),
    warnOnce: createWarnOnce(logger),
    actions,
    parseEvent: parseRecordedEvent,
    accepts: acceptsChange(actions),
    onScheduled,
  }
}
