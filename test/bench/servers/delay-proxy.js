const { connect, createServer } = require('node:net')

const startupHeader = 4
const messageHeader = 5
const sync = 'S'.charCodeAt(0)

/**
 * A proxy between a server and its Postgres. Delays the data to the database by `delayMs`, in order, and counts the Sync
 * messages, which end each statement.
 */
function startDelayProxy(port) {
  const state = { delayMs: 0, statements: 0 }
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    const count = statementCounter(() => {
      state.statements += 1
    })
    near.on('data', (chunk) => {
      count(chunk)
      setTimeout(() => far.write(chunk), state.delayMs)
    })
    far.pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ state, port: server.address().port, close: () => server.close() }))
  })
}

/** The first message of a connection begins with its length, all others with a type and the length. */
function statementCounter(onSync) {
  let held = Buffer.alloc(0)
  let started = false
  return (chunk) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const header = started ? messageHeader : startupHeader
      if (held.length < header) return
      const end = header - startupHeader + held.readUInt32BE(header - startupHeader)
      if (held.length < end) return
      if (started && held[0] === sync) onSync()
      started = true
      held = held.subarray(end)
    }
  }
}

module.exports = { startDelayProxy }
