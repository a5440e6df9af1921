import { grantsAllow, grantsAllowWithWarnings } from '../auth/grants'
import { acceptsChange } from '../capabilities/proposals/changes-body'
import { operatorProblem } from '../capabilities/proposals/operators'
import type { Action } from '../generated/index'
import { Outage } from '../kernel/host/outage'
import { createWarnOnce } from '../kernel/host-services'
import { EventFeed } from '../kernel/log/event-feed'
import type { Services } from '../kernel/services'
import { AggregateWriter } from '../kernel/writer/aggregate-writer'
import { owner } from '../options/check-ports'
import type { ResolvedOptions } from '../options/router-options'
import type { Logger } from '../ports/logger'
import { noTelemetry } from '../ports/telemetry'
import { tracedGateway } from '../telemetry/gateway'
import { parseRecordedEvent } from '../validation/check-body'
import { compileActionSchemas } from '../validation/core/action-schemas'
import { compileCustomFields } from '../validation/core/custom-fields'

/** Creates what the routes and operations of one router share. */
export function createServices(
  resolved: ResolvedOptions,
  schedules: Pick<Services, 'acceptsSchedules' | 'onScheduled' | 'consumers' | 'onConsumerMoved' | 'onSettingsChanged'>,
  telemetry = noTelemetry,
): Services {
  const { storage, authorize, flags, logger, featureNames, limits, customFields } = resolved
  const supported = flags?.actions
  const list = Array.isArray(supported) ? (supported as readonly Action[]) : undefined
  const schemas = (list === undefined ? supported : undefined) as Readonly<Partial<Record<Action, object>>> | undefined
  const actions = list ? [...list] : schemas && (Object.keys(schemas) as Action[])
  const actionSchemas = schemas ? compileActionSchemas(owner, schemas, warnOfPattern(logger)) : new Map()
  const warnOnce = createWarnOnce(logger)
  return {
    ...resolved,
    options: resolved,
    flags: flags !== null && telemetry.isOn ? tracedGateway(flags, telemetry) : flags,
    telemetry,
    authorize:
      authorize === grantsAllow ? grantsAllowWithWarnings((message) => warnOnce('grants', message)) : authorize,
    writer: new AggregateWriter(storage, resolved, telemetry),
    outage: new Outage(storage, logger),
    feed: new EventFeed(storage, limits.followPollMs),
    warnOnce,
    actions,
    actionSchemas,
    customFields: customFields ? compileCustomFields(owner, customFields, warnOfFieldPattern(logger)) : undefined,
    parseEvent: (event) => parseRecordedEvent(event, featureNames),
    accepts: acceptsChange({ actions, actionSchemas, featureNames }),
    operatorProblem,
    ...schedules,
  }
}

function warnOfPattern(logger: Logger) {
  return (action: Action, pattern: string) =>
    logger.warn(
      { action, pattern },
      'A pattern in a schema of flags.actions takes more than 20 ms on a text that does not match. Any caller who can propose ' +
        'changes can block the process with it.',
    )
}

function warnOfFieldPattern(logger: Logger) {
  return (name: string, pattern: string) =>
    logger.warn(
      { name, pattern },
      'A pattern of the option customFields takes more than 20 ms on a text that does not match. Any author of a change request ' +
        'can block the process with it.',
    )
}
