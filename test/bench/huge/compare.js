const { openDatabase } = require('../support/databases')
const { figure, progress } = require('../support/figures')
const { searchDraft } = require('../data/drafts')
const { fillEvents, fillSubjects } = require('../support/fill')

/** The maximum ratio of the times with ten times as many events. */
const maxFactor = 1.3
/** A round reads millions of events. */
const maxRounds = 3

/** The measures by the name of the bench: `start(config, logs)` starts the server, a sample is a number. */
const plans = {
  events: () => require('./events').huge,
  search: (options) => require('./search').huge(options),
  export: () => require('./export').huge,
  follow: () => require('./follow').huge,
}

/** Compares a huge log with a usual one in one database, filled once for all measures. The huge log must not be slower. */
async function benchHuge(whats, options) {
  const { databases, rounds, rows, hugeRows } = options
  for (const name of databases) {
    const database = await openDatabase(name)
    const logs = { usual: { prefix: 'husual_', rows }, huge: { prefix: 'huge_', rows: hugeRows } }
    const recounts = {}
    let server
    try {
      for (const [which, { prefix, rows }] of Object.entries(logs)) {
        recounts[which] = (await fillEvents(database, prefix, rows, searchDraft)).recountMs
        await fillSubjects(database, prefix)
      }
      reportRecount(name, logs, recounts)
      for (const what of whats) {
        const { start, measures } = plans[what](options)
        server = await start(database.config, logs)
        for (const measure of measures) {
          const count = Math.min(rounds, measure.rounds ?? maxRounds)
          report({ what, database: name, logs, measure, samples: await alternate(server, logs, measure, count) })
        }
        await server.stop()
        server = undefined
        progress(`${name}: ${what} of ${hugeRows} measured`)
      }
    } finally {
      await server?.stop()
      await database.close()
    }
  }
}

async function alternate(server, { usual, huge }, measure, rounds) {
  const samples = { usual: [], huge: [] }
  for (const log of [usual, huge]) if (measure.rounds !== 1) await measure.sample(server, log)
  for (let round = 0; round < rounds; round += 1) {
    samples.usual.push(await measure.sample(server, usual))
    samples.huge.push(await measure.sample(server, huge))
  }
  return samples
}

function report({ what, database, logs, measure, samples }) {
  const of = `of ${logs.usual.rows}`
  figure({
    database,
    name: `${what} of ${logs.huge.rows}: ${measure.name}`,
    unit: measure.unit,
    lower: measure.lower,
    ways: { ours: samples.huge, [of]: samples.usual },
    thresholds: [{ of, min: 1 / maxFactor }],
  })
}

/** A log of a few thousand events is filled without a recount. */
function reportRecount(database, logs, recounts) {
  if (recounts.usual === undefined) return
  const seconds = (ms) => [ms / 1_000]
  figure({
    database,
    name: `recount of ${logs.huge.rows} events`,
    unit: 's',
    lower: true,
    ways: { ours: seconds(recounts.huge), [`of ${logs.usual.rows}`]: seconds(recounts.usual) },
  })
}

module.exports = { benchHuge, plans }
