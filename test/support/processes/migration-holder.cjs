// A process that migrates and pauses between two statements of its migration until it is killed. Its argument is JSON:
//   place   how to open the store; see databases.ts
//   before  the start of the statement before which it pauses
// Prints `holding` when it pauses.
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

// Ends the process when the test run is killed.
process.stdin.on('end', () => process.exit()).resume()

void storage.migrate()
