import type { Instrument, TelemetryMeter } from '../ports/telemetry'
import type { Attributes } from './attributes'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Bounds of histograms, in seconds. */
const requests = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const reviews = [
  ...[minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour],
  ...[day, 2 * day, 3 * day, 5 * day, 7 * day, 14 * day, 30 * day],
]
const lateness = [1, 2, 5, 10, 30, minute, 2 * minute, 5 * minute, 15 * minute, hour, 4 * hour, day]
const batches = [1, 2, 5, 10, 20, 50, 100]

interface Definition {
  readonly name: string
  readonly unit: string
  readonly description: string
  /** Absent for a counter. */
  readonly bounds?: number[]
}

const definitions: { readonly [name in Instrument]: Definition } = {
  operationDuration: {
    name: 'change_request.operation.duration',
    unit: 's',
    description: 'Duration of the operations of the API, without sending the response.',
    bounds: requests,
  },
  transitions: {
    name: 'change_request.transitions',
    unit: '{transition}',
    description: 'State changes of change requests.',
  },
  timeToApproval: {
    name: 'change_request.time_to_approval',
    unit: 's',
    description: 'Time from the last entry into In review to Approved.',
    bounds: reviews,
  },
  timeToApply: {
    name: 'change_request.time_to_apply',
    unit: 's',
    description: 'Time from Approved to Applied, without emergencies.',
    bounds: reviews,
  },
  scheduleLateness: {
    name: 'change_request.schedule.lateness',
    unit: 's',
    description: 'Time from the scheduled time, or from the end of the last hold, to the apply.',
    bounds: lateness,
  },
  webhookDuration: {
    name: 'change_request.webhook.duration',
    unit: 's',
    description: 'Duration of the requests to webhooks.',
    bounds: requests,
  },
  commitBatchSize: {
    name: 'change_request.commit.batch_size',
    unit: '{command}',
    description: 'Number of commands for a change request that one commit stores.',
    bounds: batches,
  },
  commitRetries: {
    name: 'change_request.commit.retries',
    unit: '{retry}',
    description: 'Repeated decisions, because another write came first.',
  },
}

/** Creates the instruments that values are recorded with. */
export function createInstruments(meter: TelemetryMeter) {
  return Object.fromEntries(
    Object.entries(definitions).map(([instrument, { name, bounds, ...options }]) => [
      instrument,
      bounds === undefined ? countWith(meter, name, options) : recordWith(meter, name, options, bounds),
    ]),
  ) as { readonly [name in Instrument]: (value: number, attributes: Attributes) => void }
}

function countWith(meter: TelemetryMeter, name: string, options: object) {
  const counter = meter.createCounter(name, options)
  return (value: number, attributes: Attributes) => counter.add(value, attributes)
}

function recordWith(meter: TelemetryMeter, name: string, options: object, bounds: number[]) {
  const histogram = meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: bounds } })
  return (value: number, attributes: Attributes) => histogram.record(value, attributes)
}
