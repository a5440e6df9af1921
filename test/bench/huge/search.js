const { questions, sample } = require('../paths/log/search')
const { startServer } = require('../support/child')
const { download } = require('../support/client')

/** The same searches, each in the huge log and in the usual one. */
const huge = ({ rows }) => ({
  start(config, logs) {
    const prefixes = Object.values(logs).map(({ prefix }) => prefix)
    return startServer('log/search-server.js', { way: 'ours', config, prefixes })
  },
  measures: questions({ rows }).map(({ name, streamed }) => ({
    // A longer log has more events of a flag, and all of them are returned.
    ...(streamed ? { name: `${name}, time per byte`, unit: 'ns' } : { name: `${name}, p50`, unit: 'ms' }),
    lower: true,
    async sample(server, log) {
      const question = questions(log).find((one) => one.name === name)
      const path = `/${log.prefix}${question.path}`
      if (!streamed) return (await sample(server, path, question)).p50
      const { totalMs, bytes } = await download(server.port, path)
      return (totalMs / bytes) * 1e6
    },
  })),
})

module.exports = { huge }
