// A process that migrates, and stops between two statements of its migration until it is killed. Its argument is JSON:
//   place   how to open the store; see databases.ts
//   before  begins the statement that it does not come to
// Prints `holding` when it is there.
const { writeSync } = require('node:fs')
require('./processes-register.js')
const { openAgain } = require('../databases')
const { longTimeoutMs } = require('../databases/long-timeouts')

const { place, before } = JSON.parse(process.argv[2])
const { storage, knex } = openAgain(place)

function holdBefore(text) {
  if (!text?.startsWith(before)) return
  writeSync(1, 'holding\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, longTimeoutMs)
}

const { client } = knex
const acquire = client.acquireRawConnection.bind(client)
client.acquireRawConnection = async () => {
  const connection = await acquire()
  const method = place.knex.client === 'pg' ? 'query' : 'exec'
  const send = connection[method].bind(connection)
  connection[method] = (...values) => {
    holdBefore(typeof values[0] === 'string' ? values[0] : values[0]?.text)
    return send(...values)
  }
  return connection
}

// Ends the process when the tests were killed.
process.stdin.on('end', () => process.exit()).resume()

void storage.migrate()
