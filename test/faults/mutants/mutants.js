// Faults that only a database, another process, HTTP or a browser can show, and a test must notice; StrykerJS makes
// those of the rules and operations. Each edit replaces a text that stands once in its file.
//   id       the kind of fault, with the database or the part where one kind has several places
//   project, test, only   the tests that must turn red, as Jest takes them
//   runs     how many runs a random test needs to notice it; as in the gate unless named
//   build    the tests run the built package; 'page': of it, the review page alone
//   why      where the fault is made otherwise than its name says
const approvals = require('./approvals')
const bounds = require('./bounds')
const events = require('./events')
const gate = require('./gate')
const input = require('./input')
const lmdb = require('./storages/lmdb')
const operations = require('./operations')
const page = require('./page')
const postgres = require('./storages/postgres')
const processes = require('./processes')
const records = require('./apply/records')
const schedule = require('./schedule')
const settling = require('./apply/settling')
const sqlite = require('./storages/sqlite')

module.exports = [
  ...sqlite,
  ...postgres,
  ...processes,
  ...events,
  ...input,
  ...operations,
  ...schedule,
  ...settling,
  ...records,
  ...bounds,
  ...lmdb,
  ...approvals,
  ...page,
  ...gate,
].sort((one, other) => number(one) - number(other))

function number({ id }) {
  return Number.parseInt(id.slice(1), 10)
}
