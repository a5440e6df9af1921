const { formats, whole } = require('../paths/log/export')
const { startServer } = require('../support/child')

const part = 100_000

/** Reads this number of events in the middle; the time per event. */
const middlePart = (format) => ({
  name: `${part} in the middle as ${format}, time per event`,
  unit: 'µs',
  lower: true,
  async sample({ port }, log) {
    const after = Math.floor(log.rows / 2)
    const count = Math.min(part, log.rows - after)
    const path = `/${log.prefix}/events?after=${after}&before=${after + count + 1}`
    return ((await whole(port, path, formats[format])).totalMs / count) * 1_000
  },
})

const huge = {
  start(config, logs) {
    const prefixes = Object.values(logs).map(({ prefix }) => prefix)
    return startServer('log/export-server.js', { way: 'ours', config, prefixes })
  },
  measures: [
    middlePart('NDJSON'),
    middlePart('CSV'),
    {
      name: 'all events as NDJSON, time per event',
      unit: 'µs',
      lower: true,
      rounds: 1,
      sample: async ({ port }, log) =>
        ((await whole(port, `/${log.prefix}/events`, formats.NDJSON)).totalMs / log.rows) * 1_000,
    },
  ],
}

module.exports = { huge }
