import { createEventLists } from '../capabilities/log/list'
import { acceptsChange } from '../capabilities/proposals/changes-body'
import type { RouteServices } from '../http/route-services'
import { EventFeed } from '../kernel/events/event-feed'
import { createWarnOnce } from '../kernel/services'
import { AggregateWriter } from '../kernel/writer/aggregate-writer'
import type { ResolvedOptions } from '../options'
import { parseRecordedEvent } from '../validation/recorded-event'

/** What the routes and operations of one router share. */
export function createServices(options: ResolvedOptions, onScheduled: () => void): RouteServices {
  const { storage, directory, clock, limits, linkBase } = options
  const actions = options.flags?.actions && [...options.flags.actions]
  return {
    storage,
    authorize: options.authorize,
    directory,
    users: options.users,
    flags: options.flags,
    validate: options.validate,
    playground: options.playground,
    approvalRules: options.approvalRules,
    logger: options.logger,
    warnOnce: createWarnOnce(options.logger),
    clock,
    parseEvent: parseRecordedEvent,
    accepts: acceptsChange(actions),
    onScheduled,
    writer: new AggregateWriter(storage, linkBase),
    eventLists: createEventLists(),
    views: { stateTimestamps: options.stateTimestamps },
    changesPerRequest: limits.changesPerRequest,
    actions,
    searchLimits: limits,
    feed: new EventFeed(storage, limits.followPollMs),
    subscriptionLimits: { heartbeatMs: limits.heartbeatMs, followMs: limits.followMs },
    settings: {
      changeRequestsEnabled: options.changeRequestsEnabled,
      requiredApprovals: options.requiredApprovals,
      changesPerChangeRequest: limits.changesPerChangeRequest,
      changesBytes: limits.changesBytes,
      targetsBytes: limits.targetsBytes,
      commentsPerChangeRequest: limits.commentsPerChangeRequest,
      commentsBytes: limits.commentsBytes,
      hookTimeoutMs: limits.hookTimeoutMs,
      linkBase,
      gravatar: options.gravatar,
      recordIp: options.recordIp,
      adminSelfApproval: options.adminSelfApproval,
      recheckApprovers: options.recheckApprovers,
      globalSegments: options.globalSegments,
      emergency: options.emergency,
      overwrites: options.overwrites,
      requireRevision: options.requireRevision,
      editDetails: options.editDetails,
      recordOnly: options.recordOnly,
      applyTimeoutMs: limits.applyTimeoutMs,
      schedule: options.schedule,
      scheduleGraceMs: limits.scheduleGraceMs,
    },
  }
}
