const { request } = require('node:http')
const { connect } = require('node:net')

/** Reads one response of any size and discards it: returns its time and status. */
function download({ port }, path, headers = {}) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    let firstByteMs
    const req = request({ port, path, headers, agent: false }, (res) => {
      res.on('data', () => {
        firstByteMs ??= performance.now() - start
      })
      res.on('end', () => resolve({ status: res.statusCode, totalMs: performance.now() - start, firstByteMs }))
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
 * Sends requests on each of `callers` connections for `ms`, at least one on each; returns the rate and the latencies. The client
 * does as little as possible, because it shares the machine with the server: it reads the status and Content-Length and counts the
 * rest. `next(caller, count)` returns a request, or undefined to end. The optional `seen(body)` gets the bodies as text.
 */
async function load(server, { callers, ms = Number.POSITIVE_INFINITY, next, expected = [200], seen }) {
  const latencies = []
  const start = performance.now()
  await Promise.all(
    Array.from({ length: callers }, (_, caller) =>
      talk(server, {
        expected,
        next: (count) => (count === 0 || performance.now() - start < ms ? next(caller, count) : undefined),
        done(tookMs, body) {
          latencies.push(tookMs)
          seen?.(body())
        },
      }),
    ),
  )
  return { latencies, perSecond: (latencies.length / (performance.now() - start)) * 1000 }
}

function talk({ port, host = '127.0.0.1', rewrite = (request) => request }, { next, done, expected }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true })
    let count = 0
    let sentAt = 0
    let chunks = []
    let received = 0
    let length = 0
    const send = () => {
      const request = next(count++)
      if (request === undefined) return socket.end(() => resolve())
      sentAt = performance.now()
      socket.write(rewrite(request))
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      received += chunk.length
      try {
        if (length === 0) length = responseLength(chunks.length === 1 ? chunk : Buffer.concat(chunks), expected)
      } catch (error) {
        return socket.destroy(error)
      }
      if (length === 0 || received < length) return
      const parts = chunks
      done(performance.now() - sentAt, () => textOf(parts))
      chunks = []
      received = length = 0
      send()
    })
  })
}

/** Head and body in bytes; 0 until the head is complete. */
function responseLength(bytes, expected) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return 0
  const head = bytes.latin1Slice(0, end)
  if (!expected.includes(Number(head.slice(9, 12)))) throw new Error(`unexpected response: ${reasonIn(bytes)}`)
  return end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
}

function reasonIn(bytes) {
  const text = bytes.toString()
  const [, message = ''] = /"message":"([^"]*)/.exec(text) ?? []
  return `${text.slice(9, text.indexOf('\r\n'))} ${message}`
}

function textOf(chunks) {
  const text = Buffer.concat(chunks).toString()
  return text.slice(text.indexOf('\r\n\r\n') + 4)
}

module.exports = { download, load, requestBytes }
