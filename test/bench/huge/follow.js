const { followOnce, pollMs } = require('../paths/log/follow')
const { startServer } = require('../support/child')
const { quantile } = require('../support/figures')
const { catchUp } = require('../support/followers')

const huge = {
  /** A process for each log. It appends to its first log. */
  async start(config, logs) {
    const servers = {}
    for (const { prefix } of Object.values(logs)) {
      const way = { way: 'ours', config, prefixes: [prefix], pollMs, notify: false }
      servers[prefix] = await startServer('log/follow-server.js', way)
    }
    const stop = () => Promise.all(Object.values(servers).map((server) => server.stop()))
    return { servers, stop }
  },
  measures: [
    {
      name: 'catching up, time per event',
      unit: 'µs',
      lower: true,
      rounds: 1,
      async sample({ servers }, { prefix, rows }) {
        const { totalMs } = await catchUp(servers[prefix].port, `/${prefix}/events`, rows)
        return (totalMs / rows) * 1_000
      },
    },
    {
      name: 'commit to follower, p50',
      unit: 'ms',
      lower: true,
      async sample({ servers }, { prefix }) {
        const server = servers[prefix]
        return quantile((await followOnce({ followed: server, writer: server }, 1, prefix)).latencies, 0.5)
      },
    },
  ],
}

module.exports = { huge }
