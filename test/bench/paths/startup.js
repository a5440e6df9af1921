const { execFileSync } = require('node:child_process')
const { randomBytes } = require('node:crypto')
const { join } = require('node:path')
const { openDatabase } = require('../support/databases')
const { figure } = require('../support/figures')

const minRounds = 9
const script = join(__dirname, '../servers/startup-host.js')

/** A host with the router compared with one without: the start and the first response, one process per sample. */
async function benchStartup({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    try {
      start('bare', database)
      start('ours', database)
      const samples = { bare: [], ours: [] }
      for (let round = 0; round < Math.max(rounds, minRounds); round += 1) {
        // The order changes, because the second process profits from warm caches.
        const ways = round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare']
        for (const way of ways) samples[way].push(start(way, database))
      }
      report(name, samples)
    } finally {
      await database.close()
    }
  }
}

function start(way, { config }) {
  const prefix = `s${randomBytes(6).toString('hex')}_`
  const answer = execFileSync(process.execPath, [script, JSON.stringify({ way, config, prefix })])
  return JSON.parse(answer.toString())
}

function report(database, samples) {
  const of = (what) =>
    Object.fromEntries(Object.entries(samples).map(([way, all]) => [way, all.map((one) => one[what])]))
  const thresholds = [{ of: 'bare', min: 1 / 1.3 }]
  figure({ name: 'start-up: require and factory', database, unit: 'ms', lower: true, ways: of('startMs'), thresholds })
  figure({
    name: 'start-up to the first list',
    database,
    unit: 'ms',
    lower: true,
    ways: of('toFirstGetMs'),
    thresholds,
  })
  figure({ name: 'first POST after the start', database, unit: 'ms', lower: true, ways: of('firstPostMs') })
  figure({ name: 'second POST', database, unit: 'ms', lower: true, ways: of('secondPostMs') })
}

module.exports = { benchStartup }
