const { connect } = require('node:net')
const { requestBytes } = require('./client')

const eventStream = { Accept: 'text/event-stream' }

/** Reads the stream of all events from the first, keeping nothing, until the block of `lastId` is there. */
function catchUp(port, path, lastId) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const wanted = `id: ${lastId}\n`
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
    // Nothing comes so late that is still to come.
    socket.setTimeout(30_000, () => socket.destroy(new Error(`The stream stopped after ${bytes} bytes: ${end}`)))
    socket.on('error', reject)
    socket.on('end', () => reject(new Error(`The stream ended after ${bytes} bytes: ${end}`)))
  })
}

/** Milliseconds of the clock that all processes of a machine share. */
const now = () => Number(process.hrtime.bigint()) / 1e6

/** In the data of each event that a bench appends, so that followers know it again. */
const marker = /"marker":(\d+)/g

/**
 * So many followers of what comes from now on, each on a connection of its own. `seen(marker, at)` is called for each
 * event and follower.
 */
async function openFollowers(port, path, count, seen) {
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
        // The beginning of the stream says that it is open.
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
