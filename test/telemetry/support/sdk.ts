import { context, metrics, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

/** A value of an instrument: a sum or gauge, or the number and sum of what a histogram recorded. */
export interface Point {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly value: number | { readonly count: number; readonly sum: number }
}

export type Metrics = Awaited<ReturnType<Sdk['collect']>>
export type Sdk = ReturnType<typeof startSdk>

/** The SDK of OpenTelemetry with exporters in memory, registered as a host app does it. */
export function startSdk() {
  const spanExporter = new InMemorySpanExporter()
  const tracers = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] })
  tracers.register()
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 2 ** 31 - 1 })
  const meters = new MeterProvider({ readers: [reader] })
  metrics.setGlobalMeterProvider(meters)

  return {
    tracers,
    meters,
    spans: () => spanExporter.getFinishedSpans(),
    /** The spans with this name, and what they are below. */
    named: (name: string) => spanExporter.getFinishedSpans().filter((span) => span.name === name),
    reset: () => spanExporter.reset(),
    /** Exports all metrics now. */
    async collect() {
      metricExporter.reset()
      await reader.forceFlush()
      const exported = metricExporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
      const found = exported.flatMap((scope) => scope.metrics)
      return {
        all: found,
        unitOf: (name: string) => found.find((one) => one.descriptor.name === name)?.descriptor.unit,
        points: (name: string): Point[] =>
          found
            .filter((one) => one.descriptor.name === name)
            .flatMap(({ dataPoints }) => dataPoints as { attributes: object; value: unknown }[])
            .map(({ attributes, value }) => ({ attributes: { ...attributes }, value: toValue(value) })),
      }
    },
    async stop() {
      await tracers.shutdown()
      await meters.shutdown()
      trace.disable()
      metrics.disable()
      context.disable()
    },
  }
}

function toValue(value: unknown): Point['value'] {
  if (typeof value === 'number') return value
  const { count, sum = 0 } = value as { count: number; sum?: number }
  return { count, sum }
}
