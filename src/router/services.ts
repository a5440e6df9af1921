import { grantsAllow, grantsAllowWithWarnings } from '../auth/grants'
import { acceptsChange } from '../capabilities/proposals/changes-body'
import { operatorProblem } from '../capabilities/proposals/operators'
import { Outage } from '../kernel/host/outage'
import { createWarnOnce } from '../kernel/host-services'
import { EventFeed } from '../kernel/log/event-feed'
import type { Services } from '../kernel/services'
import { AggregateWriter } from '../kernel/writer/aggregate-writer'
import type { ResolvedOptions } from '../options/router-options'
import { parseRecordedEvent } from '../validation/check-body'

/** Creates what the routes and operations of one router share. */
export function createServices(
  resolved: ResolvedOptions,
  schedules: Pick<Services, 'acceptsSchedules' | 'onScheduled' | 'consumers' | 'onConsumerMoved' | 'onSettingsChanged'>,
): Services {
  const { storage, authorize, flags, logger, featureNames, linkBase, limits } = resolved
  const actions = flags?.actions && [...flags.actions]
  const warnOnce = createWarnOnce(logger)
  return {
    ...resolved,
    options: resolved,
    authorize:
      authorize === grantsAllow ? grantsAllowWithWarnings((message) => warnOnce('grants', message)) : authorize,
    writer: new AggregateWriter(storage, linkBase),
    outage: new Outage(storage, logger),
    feed: new EventFeed(storage, limits.followPollMs),
    warnOnce,
    actions,
    parseEvent: (event) => parseRecordedEvent(event, featureNames),
    accepts: acceptsChange({ actions, featureNames }),
    operatorProblem,
    ...schedules,
  }
}
