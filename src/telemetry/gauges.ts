import { countedStates, type StoredGauges } from '../ports/storage/gauges'
import type { TelemetryMeter } from '../ports/telemetry'
import { toAttributes } from './attributes'

/** Every reader of metrics in this process shares a read for this time. */
const readEveryMs = 15_000

/** Where the values of the gauges are from. */
export interface GaugeSources {
  /** The values of the database, in one query. */
  readonly read: () => Promise<StoredGauges>
  /** The number of followers of the log in this process. */
  readonly followers: () => number
  readonly clock: () => Date
}

/** Reports the values of the database and of this process when metrics are collected, until the returned function is called. */
export function observeGauges(meter: TelemetryMeter, sources: GaugeSources, byProject: boolean): () => void {
  const [count, lag, delay] = [
    meter.createObservableGauge('change_request.count', {
      unit: '{change_request}',
      description: 'Number of change requests in each open state, without drafts.',
    }),
    meter.createObservableGauge('change_request.consumer.lag', {
      unit: '{event}',
      description: 'Number of events that a consumer has not handled.',
    }),
    meter.createObservableGauge('change_request.consumer.delay', {
      unit: 's',
      description: 'Age of the first event that a consumer has not handled.',
    }),
  ]
  const followers = meter.createObservableUpDownCounter('change_request.event.follower.count', {
    unit: '{follower}',
    description: 'Number of followers of the event log in this process.',
  })
  const read = readAtMostEvery(readEveryMs, sources)
  const observed = [count, lag, delay, followers]
  const callback: Parameters<TelemetryMeter['addBatchObservableCallback']>[0] = async (observer) => {
    observer.observe(followers, sources.followers())
    const found = await read()
    if (found === undefined) return
    for (const [attributes, value] of totals(found.gauges, byProject)) observer.observe(count, value, attributes)
    for (const { name, lag: events, since } of found.gauges.consumers) {
      const attributes = toAttributes({ consumer: name }, byProject)
      observer.observe(lag, events, attributes)
      const delayMs = since === null ? 0 : Math.max(0, found.at - Date.parse(since))
      observer.observe(delay, delayMs / 1_000, attributes)
    }
  }
  meter.addBatchObservableCallback(callback, observed)
  return () => meter.removeBatchObservableCallback(callback, observed)
}

/** Undefined if they cannot be read. */
function readAtMostEvery(intervalMs: number, { read, clock }: GaugeSources) {
  let reading: ReturnType<typeof readNow> | undefined
  let isReading = false
  let startedAt = 0
  async function readNow() {
    try {
      return { gauges: await read(), at: clock().getTime() }
    } catch {
      return undefined
    } finally {
      isReading = false
    }
  }
  return () => {
    // A slow read is shared, however long it takes.
    if (reading === undefined || (!isReading && performance.now() - startedAt >= intervalMs)) {
      isReading = true
      startedAt = performance.now()
      reading = readNow()
    }
    return reading
  }
}

/**
 * The number of change requests for each set of attributes: without `byProject`, places have the same ones, and states without
 * change requests are 0.
 */
function totals({ changeRequests }: StoredGauges, byProject: boolean) {
  const found = new Map<string, [attributes: Record<string, string | number>, value: number]>()
  const none = byProject ? [] : countedStates.map((state) => ({ state, project: '', environment: '', count: 0 }))
  for (const { state, project, environment, count } of [...none, ...changeRequests]) {
    const attributes = toAttributes({ state, place: { project, environment } }, byProject)
    const key = JSON.stringify(attributes)
    const before = found.get(key)?.[1] ?? 0
    found.set(key, [attributes, before + count])
  }
  return found.values()
}
