import type { TargetPart } from '../domain/actions/action'
import type { NewChange } from '../domain/change-request'
import type { ChangeLimits, CommentLimits } from '../domain/content/size'
import type { CustomFieldRules, CustomFieldValue } from '../domain/custom-fields/custom-fields'
import type { ErrorDetail } from '../errors'
import type { Action, CustomFieldsSchemaView, RecordedEvent } from '../generated/index'
import type { Limits } from '../options/limits'
import type { ResolvedOptions } from '../options/router-options'
import type { Logger } from '../ports/logger'
import type { Telemetry } from '../ports/telemetry'

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
  | 'checks'
  | 'freezes'
  | 'logger'
  | 'clock'
>

/** What the flag gateway accepts of an action, in addition to the schema of this package. */
export interface HostSchema {
  /** Without references. */
  readonly schema: object
  /** Undefined for a valid change. @param place its path in the request */
  readonly problemOf: (change: object, place: readonly (string | number)[]) => ErrorDetail | undefined
}

/** The custom fields of the host app. */
export interface HostCustomFields extends CustomFieldRules {
  readonly schema: CustomFieldsSchemaView
  /** @throws BadDataError that names each value which does not fit */
  parse(body: unknown): Readonly<Record<string, CustomFieldValue>>
}

/** What the host app gives to a router, checked and with its defaults. */
export interface HostServices extends Ports {
  /** All other options of the router. */
  readonly options: Omit<ResolvedOptions, keyof Ports | 'customFields' | 'telemetry'>
  /** Metrics and traces; does nothing without the option. */
  readonly telemetry: Telemetry
  /** Logs a fault of the host app that affects every request, once per hook. */
  readonly warnOnce: (hook: string, message: string) => void
  /** The actions that the gateway supported when the router was created; undefined for all. */
  readonly actions: readonly Action[] | undefined
  /** Schemas of the host app that changes must match in addition, by action. */
  readonly actionSchemas: ReadonlyMap<Action, HostSchema>
  /** Undefined if it has none. */
  readonly customFields: HostCustomFields | undefined
  /** @throws BadDataError unless it is an event of a known type and shape. */
  readonly parseEvent: (event: unknown) => RecordedEvent
  /** True for a change that can be proposed: its payload is valid for its action, which the gateway supports. */
  readonly accepts: (change: NewChange) => boolean
  /** What is wrong with the operators of a change whose target has this part; undefined if nothing is. */
  readonly operatorProblem: (
    change: NewChange,
    part: TargetPart,
    place?: readonly (string | number)[],
  ) => ErrorDetail | undefined
  /** Whether a scheduled change request will be applied, by this process or by another. */
  readonly acceptsSchedules: () => boolean
}

/** The least room for the texts of steps, in bytes: at least four of the longest texts. */
const minStepBytes = 256 * 1024

/** Limits on the comments of a change request. A quarter of the bytes is reserved for the texts of steps. */
export function commentLimitsOf({ commentsPerChangeRequest, commentsBytes }: Limits): CommentLimits {
  const reserve = Math.floor(commentsBytes / 4)
  const bytes = commentsBytes - reserve
  return { comments: commentsPerChangeRequest, bytes, bytesWithSteps: bytes + Math.max(reserve, minStepBytes) }
}

export function changeLimitsOf({ changesPerChangeRequest, changesBytes, targetsBytes }: Limits): ChangeLimits {
  return { changes: changesPerChangeRequest, bytes: changesBytes, targetsBytes }
}

export function createWarnOnce(logger: Logger): HostServices['warnOnce'] {
  const warned = new Set<string>()
  return (hook, message) => {
    if (warned.has(hook)) return
    warned.add(hook)
    logger.warn({ hook }, message)
  }
}

export function now({ clock }: Pick<HostServices, 'clock'>): string {
  return clock().toISOString()
}
