const { download, load, requestBytes } = require('../support/client')
const { median, quantile } = require('../support/figures')

/**
 * A path that can be measured: `sample(server, prepared)` returns one number in `unit`; with `lower` a smaller one is better.
 * `prepare(server)` runs once for each server, and `finish(prepared)` after the last sample. `others` are the ways that it is
 * compared with in `bench`. `atLeast` and `atMost` are the thresholds there: ratios to other ways, and a value of ours.
 */
const ms = { unit: 'ms', lower: true }

/** Measures requests of concurrent callers: for each sample, `requests(prepared, server)` returns the `next` of `load`. */
const requesting = ({ sampleMs }, pick, { callers = 1, requests, expected, ...path }) => ({
  ...path,
  sample: async (server, prepared) =>
    pick(await load(server, { callers, expected, ms: sampleMs, next: requests(prepared, server) })),
})

/** The median time of requests of one caller. */
const latency = (options, path) => requesting(options, ({ latencies }) => median(latencies), { ...ms, ...path })

/** The same of reads; `path` is a text, or made of what was prepared and of the server. */
const latencyOf = (options, path, rest = {}) =>
  latency(options, {
    ...rest,
    requests(prepared, server) {
      const address = typeof path === 'string' ? path : path(prepared, server)
      const request = requestBytes('GET', address, { Authorization: rest.user ?? 1 })
      return () => request
    },
  })

/** The number of requests per second. */
const rate = (options, path) => requesting(options, ({ perSecond }) => perSecond, { unit: '1/s', ...path })

const tail = (options, path) =>
  requesting(options, ({ latencies }) => quantile(latencies, 0.99) / median(latencies), {
    ...{ unit: 'p99 / p50', lower: true },
    ...path,
  })

/** The CPU time of the server for a request: the speed of a busy machine changes less of it. */
const cpu = ({ sampleMs }, { callers, requests, ...path }) => ({
  ...{ unit: 'µs of CPU', lower: true, ...path },
  async sample(server, prepared) {
    const before = await server.ask('cpu')
    const { latencies } = await load(server, { callers, ms: sampleMs, next: requests(prepared, server) })
    return ((await server.ask('cpu')) - before) / latencies.length
  },
})

/** The median time of responses of unknown length, read to their end. */
const whole = ({ sampleMs }, path, headers = {}, rest = {}) => ({
  ...ms,
  ...rest,
  async sample(server) {
    const times = []
    const start = performance.now()
    while (times.length === 0 || performance.now() - start < sampleMs) {
      const { status, totalMs } = await download(server, path, headers)
      if (status !== 200) throw new Error(`${path} returned ${status}.`)
      times.push(totalMs)
    }
    return median(times)
  },
})

/** How long the work of another path blocks the event loop of the server at most. */
const loopDelay = ({ prepare, sample, finish }, rest = {}) => ({
  ...{ ...ms, prepare, finish },
  ...rest,
  sample: async (server, prepared) => (await server.watched(() => sample(server, prepared))).worstDelayMs,
})

/** The megabytes by which the work of another path grows the memory of the server at most. */
const memory = ({ prepare, sample, finish }, rest = {}) => ({
  ...{ unit: 'MB', lower: true, prepare, finish },
  ...rest,
  async sample(server, prepared) {
    const { before, peak } = await server.watched(() => sample(server, prepared))
    return (peak - before) / 1e6
  },
})

/** Paths that share what they prepare get it once for each server. */
function once(prepare) {
  const prepared = new Map()
  return (server) => {
    if (!prepared.has(server)) prepared.set(server, prepare(server))
    return prepared.get(server)
  }
}

module.exports = { cpu, latency, latencyOf, loopDelay, memory, ms, once, rate, tail, whole }
