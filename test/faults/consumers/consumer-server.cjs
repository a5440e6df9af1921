// A process with the built package that runs consumers and may be killed. Its argument is JSON:
//   knex       how Knex opens the database
//   storage    options of knexStorage
//   folder     where each consumer appends a line per event that it has handled: the id, and that of the process
//   consumers  {name, batchSize, way}; the way is 'whole', 'done' (records each event), 'throws' or 'hangs' (sometimes)
//   limits     of the router
// It prints `listening on http://host:port` when it is ready.
const { appendFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { join } = require('node:path')
const { knex: createKnex } = require('knex')
const { ConsumerRetry, createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')

const config = JSON.parse(process.argv[2])
const router = createChangeRequestRouter({
  storage: knexStorage({ knex: createKnex(config.knex), ...config.storage }),
  authenticate: () => null,
  limits: config.limits,
  logger: { debug() {}, info() {}, warn() {}, error: (facts, message) => console.error(message, facts) },
})

const lineOf = ({ id }) => `${id} ${process.pid}\n`

for (const { name, batchSize, way } of config.consumers) {
  const file = join(config.folder, name)
  router.events.consume({
    name,
    batchSize,
    from: 'beginning',
    async handle(events, { attempt, done }) {
      if (way === 'whole') {
        // Synchronous: nothing else of this process runs between the events of a batch.
        return appendFileSync(file, events.map(lineOf).join(''))
      }
      for (const [index, { id }] of events.entries()) {
        const isLast = index === events.length - 1
        if (way === 'throws' && attempt === 1 && isLast && id % 3 === 0) throw new ConsumerRetry({ afterMs: 1 })
        if (way === 'hangs' && attempt === 1 && isLast && id % 7 === 0) await new Promise(() => {})
        appendFileSync(file, lineOf({ id }))
        if (way === 'done') await done(id)
      }
    },
  })
}

// Ends the process when the test run is killed.
process.stdin.on('end', () => process.exit()).resume()

router.start()
const server = createServer((_req, res) => router.health().then((health) => res.end(JSON.stringify(health))))
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
