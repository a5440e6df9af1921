import type { Link, Span, SpanContext } from '@opentelemetry/api'
import {
  errorTypeOf,
  isFault,
  type SpanOptions,
  type Telemetry,
  type TelemetryMeter,
  type TelemetryOptions,
  type TelemetryTracer,
} from '../ports/telemetry'
import { type Attributes, toAttributes } from './attributes'
import { type GaugeSources, observeGauges } from './gauges'
import { createInstruments } from './instruments'

type Api = typeof import('@opentelemetry/api')

const scopeName = 'express-change-requests'
const noAttributes: Attributes = {}

/** Telemetry with the API of OpenTelemetry. Without an SDK of the host app, the API does nothing. */
export interface OpenTelemetry extends Telemetry {
  /** Reports gauges, until {@link close}. */
  observe(sources: GaugeSources): void
  close(): void
}

/** @throws TypeError if `@opentelemetry/api` is not installed */
export function openTelemetry(option: true | TelemetryOptions, owner: string): OpenTelemetry {
  const { trace, context, metrics, ROOT_CONTEXT, SpanStatusCode } = loadApi(owner)
  const { byProject = false, ...given } = option === true ? {} : option
  const meter = given.meter ?? (metrics.getMeter(scopeName) as TelemetryMeter)
  const tracer = given.tracer ?? (trace.getTracer(scopeName) as TelemetryTracer)
  const instruments = createInstruments(meter)
  let stopGauges: (() => void) | undefined

  const record: Telemetry['record'] = (instrument, value, measured = {}) =>
    safely(() => instruments[instrument](value, toAttributes(measured, byProject)))

  function span<Value>(name: string, work: () => Value, options: SpanOptions<Awaited<Value>> = {}): Value {
    const { duration, isRoot = false, links } = options
    const startedAt = duration === undefined ? 0 : performance.now()
    const parent = isRoot ? ROOT_CONTEXT : context.active()
    const linked = links === undefined || links.length === 0 ? undefined : { links: links.flatMap(toLink) }
    const started = tracer.startSpan(name, linked, parent) as Span
    const end: End<Awaited<Value>> = (result, failure = result && options.failureOf?.(result)) => {
      if (duration !== undefined || failure !== undefined || started.isRecording()) {
        const { attributes: describe, errorType = errorTypeOf } = options
        const attributes = describe === undefined ? noAttributes : toAttributes(describe(result), byProject)
        // The message of an error may name a flag or a user, so only its type is recorded.
        const type = failure && errorType(failure.error)
        const failed = type === undefined ? attributes : { ...attributes, 'error.type': type }
        if (duration !== undefined) {
          const recorded = duration === 'operationDuration' ? failed : attributes
          instruments[duration]((performance.now() - startedAt) / 1_000, recorded)
        }
        if (failed !== noAttributes) started.setAttributes(failed)
        if (type !== undefined && isFault(type)) started.setStatus({ code: SpanStatusCode.ERROR })
      }
      started.end()
    }
    const safeEnd: typeof end = (result, failure) => safely(() => end(result, failure))
    return context.with(trace.setSpan(parent, started), () => settle(work, safeEnd))
  }

  return {
    isOn: true,
    span,
    record,
    scope() {
      const active = context.active()
      const traceparent = toTraceparent(trace.getSpanContext(active))
      return { traceparent, run: (work) => context.with(active, work) }
    },
    observe(sources) {
      stopGauges = observeGauges(meter, sources, byProject)
    },
    close: () => stopGauges?.(),
  }
}

function toLink(traceparent: string): Link[] {
  const context = parseTraceparent(traceparent)
  return context === undefined ? [] : [{ context }]
}

/** Loaded only for the option, because other host apps need not install the package. */
function loadApi(owner: string): Api {
  try {
    // biome-ignore lint/style/noCommonJs: a static import would fail without the package, and import() is asynchronous
    return require('@opentelemetry/api')
  } catch (cause) {
    const text = `${owner}: option "telemetry" needs the package @opentelemetry/api. Install it: npm install @opentelemetry/api.`
    throw new TypeError(text, { cause })
  }
}

type End<Result> = (result: Result | undefined, failure?: { readonly error: unknown }) => void

/** Calls `end` when the work has ended, synchronously or not. */
function settle<Value>(work: () => Value, end: End<Awaited<Value>>): Value {
  let result: Value
  try {
    result = work()
  } catch (error) {
    end(undefined, { error })
    throw error
  }
  if (!isPromise(result)) {
    end(result as Awaited<Value>)
    return result
  }
  const settled = result.then(
    (value) => {
      end(value as Awaited<Value>)
      return value
    },
    (error: unknown) => {
      end(undefined, { error })
      throw error
    },
  )
  return settled as Value
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}

/** A failure of an exporter or processor of the host app must not change a result: the write may be committed. */
function safely(measure: () => void): void {
  try {
    measure()
  } catch {
    // OpenTelemetry reports its own failures to the `diag` of the host app.
  }
}

/** The W3C header `traceparent` of a span; undefined without one. `tracestate` is not stored. */
function toTraceparent(context: SpanContext | undefined): string | undefined {
  if (context === undefined || !/[1-9a-f]/.test(context.traceId)) return undefined
  const flags = context.traceFlags.toString(16).padStart(2, '0')
  return `00-${context.traceId}-${context.spanId}-${flags}`
}

/** Undefined for text that is no `traceparent`. */
function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
