import { ChangeRequestError, type ErrorName, errorStatuses } from '../errors'

/** Reports the values of observable instruments. */
export interface TelemetryObserver {
  /** Reports a value. */
  observe(instrument: object, value: number, attributes?: Record<string, string | number>): void
}

/** The part of a `Meter` of `@opentelemetry/api` that the router uses. */
export interface TelemetryMeter {
  /** Creates a counter. */
  createCounter(
    name: string,
    options?: object,
  ): { add(value: number, attributes?: Record<string, string | number>): void }
  /** Creates a histogram. */
  createHistogram(
    name: string,
    options?: object,
  ): { record(value: number, attributes?: Record<string, string | number>): void }
  /** Creates a gauge. */
  createObservableGauge(name: string, options?: object): object
  /** Creates an up-down counter. */
  createObservableUpDownCounter(name: string, options?: object): object
  /** Calls the function when metrics are collected. */
  addBatchObservableCallback(
    callback: (observer: TelemetryObserver) => void | Promise<void>,
    instruments: object[],
  ): void
  /** Ends the calls. */
  removeBatchObservableCallback(
    callback: (observer: TelemetryObserver) => void | Promise<void>,
    instruments: object[],
  ): void
}

/** The part of a `Tracer` of `@opentelemetry/api` that the router uses. */
export interface TelemetryTracer {
  /** Starts a span in a context. */
  startSpan(name: string, options?: object, context?: object): object
}

/**
 * The option `telemetry` of the router.
 *
 * @example
 * ```ts
 * const telemetry: TelemetryOptions = { byProject: true }
 * ```
 */
export interface TelemetryOptions {
  /**
   * Creates the instruments.
   * @defaultValue a meter of the global provider
   */
  readonly meter?: TelemetryMeter
  /**
   * Creates the spans.
   * @defaultValue a tracer of the global provider
   */
  readonly tracer?: TelemetryTracer
  /**
   * Adds the attributes `change_request.project` and `change_request.environment` to the metrics. Each project and environment
   * is then a time series.
   * @defaultValue `false`
   */
  readonly byProject?: boolean
}

/** Where something happened; recorded with `byProject` only. */
export interface MeasuredPlace {
  readonly project?: string | undefined
  readonly environment?: string | undefined
}

/** The attributes of a measurement: codes, operation ids, states and names of consumers. Nothing that identifies a user or a flag. */
export interface Measured {
  readonly operation?: string
  readonly from?: string
  readonly to?: string
  readonly state?: string
  readonly consumer?: string
  readonly status?: number
  readonly place?: MeasuredPlace | undefined
}

/** The instruments that the router records values with. */
export type Instrument =
  | 'operationDuration'
  | 'transitions'
  | 'timeToApproval'
  | 'timeToApply'
  | 'scheduleLateness'
  | 'webhookDuration'
  | 'commitBatchSize'
  | 'commitRetries'

export interface SpanOptions<Value> {
  /** The histogram that records how long the work took, with the attributes. */
  readonly duration?: Instrument
  /** Read when the work has ended. @param result undefined if it failed */
  readonly attributes?: (result: Value | undefined) => Measured
  /** The failure that a result stands for, of work that does not throw it. */
  readonly failureOf?: (result: Value) => { readonly error: unknown } | undefined
  /** The name of an error; {@link errorTypeOf} by default. */
  readonly errorType?: (error: unknown) => string
  /** The `traceparent` of other spans that caused this one. */
  readonly links?: readonly string[]
  /** Begins a new trace: work that no request waits for. */
  readonly isRoot?: boolean
}

/** The active span at one moment. */
export interface TraceScope {
  /** The W3C `traceparent`, 55 characters; undefined without a span. */
  readonly traceparent: string | undefined
  /** Runs work later as a part of that span. */
  run<Value>(work: () => Value): Value
}

/** Measures what the router does. No method fails, and none changes a result. */
export interface Telemetry {
  readonly isOn: boolean
  /** Runs the work, synchronous or not, in a span that ends with it. */
  span<Value>(name: string, work: () => Value, options?: SpanOptions<Awaited<Value>>): Value
  record(instrument: Instrument, value: number, measured?: Measured): void
  scope(): TraceScope
}

const noScope: TraceScope = { traceparent: undefined, run: (work) => work() }

/** Without the option `telemetry`. */
export const noTelemetry: Telemetry = {
  isOn: false,
  span: (_, work) => work(),
  record: () => {},
  scope: () => noScope,
}

/** The name of an error as in a response; `_OTHER`, which OpenTelemetry defines, for any other. */
export function errorTypeOf(error: unknown): string {
  return ChangeRequestError.is(error) && Object.hasOwn(errorStatuses, error.name) ? error.name : '_OTHER'
}

/** False for an error with a status of 4xx: the request was answered as it should be. */
export function isFault(errorType: string): boolean {
  return !Object.hasOwn(errorStatuses, errorType) || errorStatuses[errorType as ErrorName] >= 500
}

const key = Symbol.for('express-change-requests.telemetry')

/** Passes the telemetry of a router to a consumer of this package, such as a webhook. */
export function withTelemetry<Context extends object>(context: Context, telemetry: Telemetry): Context {
  return telemetry.isOn ? Object.defineProperty(context, key, { value: telemetry }) : context
}

export function telemetryOf(context: object): Telemetry {
  return (context as { readonly [key]?: Telemetry })[key] ?? noTelemetry
}
