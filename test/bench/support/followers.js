const { connect } = require('node:net')
const { requestBytes } = require('./client')

const eventStream = { Accept: 'text/event-stream' }

/** Reads the stream of all events from the first one until `lastId`, and discards them. */
function catchUp({ port }, path, lastId) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const wanted = `"id":${lastId},`
    let firstByteMs
    let bytes = 0
    let end = ''
    const socket = connect({ port, host: '127.0.0.1' })
    socket.write(requestBytes('GET', path, { ...eventStream, 'Last-Event-ID': '0' }))
    socket.on('data', (chunk) => {
      firstByteMs ??= performance.now() - start
      bytes += chunk.length
      const seen =
        chunk.includes(wanted) || (end + chunk.latin1Slice(0, Math.min(chunk.length, wanted.length))).includes(wanted)
      end = (end + chunk.latin1Slice(Math.max(0, chunk.length - wanted.length))).slice(-wanted.length)
      if (!seen) return
      socket.destroy()
      resolve({ totalMs: performance.now() - start, firstByteMs, bytes })
    })
    // After this time nothing more will arrive.
    socket.setTimeout(30_000, () => socket.destroy(new Error(`The stream stopped after ${bytes} bytes: ${end}`)))
    socket.on('error', reject)
    socket.on('end', () => reject(new Error(`The stream ended after ${bytes} bytes: ${end}`)))
  })
}

/** The time in milliseconds, on the clock that all processes share. */
const now = () => Number(process.hrtime.bigint()) / 1e6

/** Part of the data of each event that a bench appends, so that followers recognize it. */
const marker = /"marker":(\d+)/g

/**
 * Opens this number of followers of new events, each on its own connection. Calls `seen(marker, at)` for each event and
 * follower.
 */
async function openFollowers({ port }, path, count, seen) {
  const sockets = []
  const open = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      sockets.push(socket)
      let rest = ''
      socket.write(requestBytes('GET', path, eventStream))
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        const at = now()
        const text = rest + chunk.latin1Slice()
        const end = text.lastIndexOf('\n\n') + 1
        // The first bytes show that the stream is open.
        if (end > 0) resolve()
        for (const [, number] of text.slice(0, end).matchAll(marker)) seen(Number(number), at)
        rest = text.slice(end)
      })
    })
  for (let left = count; left > 0; left -= 50) await Promise.all(Array.from({ length: Math.min(50, left) }, open))
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

module.exports = { catchUp, now, openFollowers }
