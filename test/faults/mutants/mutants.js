// Faults that a test must detect and that only show with a database, another process, HTTP or a browser. StrykerJS
// covers the rules and operations. Each edit replaces a text that occurs once in its file.
//   id       the kind of fault, followed by the database or the part if there are several
//   project, test, only   the tests that must fail, as options of Jest
//   runs     how many runs a random test needs to detect it; by default as many as in `npm test`
//   nightly  set if `npm test` skips them
//   build    the tests run the built package; 'page': only the review page is built
//   why      why the edit differs from the fault that it stands for
const approvals = require('./approvals')
const bounds = require('./bounds')
const client = require('./client')
const comments = require('./comments')
const consumers = require('./consumers')
const events = require('./events')
const failover = require('./failover')
const freezes = require('./freezes')
const gate = require('./gate')
const handles = require('./storages/handles')
const input = require('./input')
const lmdb = require('./storages/lmdb')
const machines = require('./machines')
const operations = require('./operations')
const page = require('./page')
const postgres = require('./storages/postgres')
const processes = require('./processes')
const records = require('./apply/records')
const replication = require('./storages/replication')
const schedule = require('./schedule')
const settling = require('./apply/settling')
const sqlite = require('./storages/sqlite')

module.exports = [
  ...sqlite,
  ...postgres,
  ...processes,
  ...events,
  ...failover,
  ...input,
  ...operations,
  ...machines,
  ...comments,
  ...schedule,
  ...settling,
  ...records,
  ...handles,
  ...replication,
  ...bounds,
  ...consumers,
  ...lmdb,
  ...approvals,
  ...page,
  ...client,
  ...gate,
  ...freezes,
].sort((one, other) => number(one) - number(other))

function number({ id }) {
  return Number.parseInt(id.slice(1), 10)
}
