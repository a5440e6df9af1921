const { startServer } = require('../support/child')
const { download, load, requestBytes } = require('../support/client')
const { project } = require('../data/drafts')

const callers = 10
const sampleMs = 400

const requestsPerSecond = async ({ port }, path) => {
  const request = requestBytes('GET', path, {})
  return (await load(port, { callers, ms: sampleMs, next: () => request })).perSecond
}

const huge = {
  start(config, logs) {
    const prefixes = Object.values(logs).map(({ prefix }) => prefix)
    return startServer('log/events-server.js', { way: 'ours', config, prefixes, project })
  },
  measures: [
    {
      name: 'newest 100, nothing cached',
      unit: '1/s',
      sample: (server, { prefix }) => requestsPerSecond(server, `/cold/${prefix}/events`),
    },
    {
      name: 'newest 100, nothing new',
      unit: '1/s',
      sample: (server, { prefix }) => requestsPerSecond(server, `/${prefix}/events`),
    },
    {
      name: 'all of a project, time per byte',
      unit: 'ns',
      lower: true,
      rounds: 1,
      async sample({ port }, { prefix }) {
        const { totalMs, bytes } = await download(port, `/${prefix}/events?project=${project}`)
        return (totalMs / bytes) * 1e6
      },
    },
  ],
}

module.exports = { huge }
