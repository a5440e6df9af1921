const { request } = require('node:http')
const { connect } = require('node:net')

/** Reads one response of any size and discards it: returns its time, the time of its first byte and its size. */
function download(port, path, headers = {}) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    let firstByteMs
    let bytes = 0
    const req = request({ port, path, headers, agent: false }, (res) => {
      res.on('data', (chunk) => {
        firstByteMs ??= performance.now() - start
        bytes += chunk.length
      })
      res.on('end', () => resolve({ status: res.statusCode, totalMs: performance.now() - start, firstByteMs, bytes }))
      res.on('error', reject)
    })
    req.once('error', reject)
    req.end()
  })
}

/** The bytes of a request, serialized once. */
function requestBytes(method, path, headers, body = '') {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = method === 'POST' || method === 'PUT' ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}${length}\r\n${body}`
}

/**
 * Sends requests on each of `callers` connections for `ms`; returns the rate and the latencies. `everyMs` is the minimum
 * interval of requests on a connection. The client does as little as possible, because it shares the machine with the
 * server: it reads the status and Content-Length and counts the rest. `next(caller, count)` returns a request, or undefined
 * to end. The optional `seen(body, caller)` gets the bodies as text.
 */
async function load(port, { callers, ms = Number.POSITIVE_INFINITY, next, expected = 200, seen, everyMs = 0 }) {
  const latencies = []
  const start = performance.now()
  const run = { latencies, bytes: 0 }
  await Promise.all(
    Array.from({ length: callers }, (_, caller) =>
      talk(port, {
        expected,
        everyMs,
        next: (count) => (performance.now() - start < ms ? next(caller, count) : undefined),
        done(tookMs, bytes, body) {
          latencies.push(tookMs)
          run.bytes += bytes
          seen?.(body(), caller)
        },
      }),
    ),
  )
  return { ...run, perSecond: (latencies.length / (performance.now() - start)) * 1000 }
}

function talk(port, { next, done, expected, everyMs }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let count = 0
    let sentAt = 0
    let chunks = []
    let held = 0
    let whole = 0
    const send = () => {
      const request = next(count++)
      if (request === undefined) return socket.end(() => resolve())
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      held += chunk.length
      try {
        if (whole === 0) whole = wholeLength(chunks.length === 1 ? chunk : Buffer.concat(chunks), expected)
      } catch (error) {
        return socket.destroy(error)
      }
      if (whole === 0 || held < whole) return
      const parts = chunks
      done(performance.now() - sentAt, held, () => textOf(parts))
      chunks = []
      held = whole = 0
      if (everyMs === 0) send()
      else setTimeout(send, Math.max(0, sentAt + everyMs - performance.now()))
    })
  })
}

/** Head and body in bytes; 0 while the head is not all there. */
function wholeLength(bytes, expected) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return 0
  const head = bytes.latin1Slice(0, end)
  const status = Number(head.slice(9, 12))
  if (status !== expected) throw new Error(`Answered ${bytes.toString().slice(0, 2000)}`)
  return end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
}

function textOf(chunks) {
  const text = Buffer.concat(chunks).toString()
  return text.slice(text.indexOf('\r\n\r\n') + 4)
}

module.exports = { download, load, requestBytes }
