import { grantsAllow, grantsAllowWithWarnings } from '../auth/grants'
import { acceptsChange } from '../capabilities/proposals/changes-body'
import { operatorProblem } from '../capabilities/proposals/operators'
import { Outage } from '../kernel/host/outage'
import { createWarnOnce } from '../kernel/host-services'
import { EventFeed } from '../kernel/log/event-feed'
import type { Services } from '../kernel/services'
import { AggregateWriter } from '../kernel/writer/aggregate-writer'
import type { ResolvedOptions } from '../options/router-options'
import { parseRecordedEvent } from '../validation/recorded-event'

/** Creates what the routes and operations of one router share. */
export function createServices(
  resolved: ResolvedOptions,
  schedules: Pick<Services, 'acceptsSchedules' | 'onScheduled' | 'consumers' | 'onConsumerMoved' | 'onSettingsChanged'>,
): Services {
  const {
    storage,
    authorize,
    directory,
    users,
    flags,
    validate,
    playground,
    approvalRules,
    freezes,
    logger,
    clock,
    ...options
  } = resolved
  const actions = flags?.actions && [...flags.actions]
  const { featureNames } = options
  const warnOnce = createWarnOnce(logger)
  return {
    storage,
    authorize:
      authorize === grantsAllow ? grantsAllowWithWarnings((message) => warnOnce('grants', message)) : authorize,
    directory,
    users,
    flags,
    validate,
    playground,
    approvalRules,
    freezes,
    logger,
    clock,
    options,
    writer: new AggregateWriter(storage, options.linkBase),
    outage: new Outage(storage, logger),
    feed: new EventFeed(storage, options.limits.followPollMs),
    warnOnce,
    actions,
    parseEvent: (event) => parseRecordedEvent(event, featureNames),
    accepts: acceptsChange({ actions, featureNames }),
    operatorProblem,
    ...schedules,
  }
}
