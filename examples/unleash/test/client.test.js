const { deepEqual, equal, rejects } = require('node:assert/strict')
const { once } = require('node:events')
const { createServer } = require('node:http')
const { describe, it } = require('node:test')
const { unleashClient } = require('../server/client')

/** A server that handles each request like this, and a client of it. */
async function withClient(handle, use, options) {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use(unleashClient({ url: `http://127.0.0.1:${server.address().port}`, token: 't', ...options }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The error of a read and that of a write: its name, status and message. */
async function errorsOf(handle, options) {
  const errors = []
  await withClient(
    handle,
    async (client) => {
      for (const method of ['GET', 'POST']) {
        const error = await client.send(method, 'x').catch((thrown) => thrown)
        errors.push([error.name, error.status, error.message])
      }
    },
    options,
  )
  return errors
}

const failed = (method, status) => `The Unleash server responded to ${method} x with ${status}.`
const unreachable = ['Unavailable', undefined, 'The Unleash server cannot be reached.']

describe('client.send', () => {
  const maintenance = 'This Unleash instance is currently in maintenance mode.'
  for (const [status, message, read, write, name = 'SomeError'] of [
    [400, 'no', ['Refusal', 400, 'no'], ['Refusal', 400, 'no']],
    [409, undefined, ['Refusal', 409, failed('GET', 409)], ['Refusal', 409, failed('POST', 409)]],
    [401, 'who', ['Unavailable', 401, 'who'], ['Unavailable', 401, 'who']],
    [403, 'no', ['Unavailable', 403, 'no'], ['Refusal', 403, 'no']],
    [403, 'no', ['Unavailable', 403, 'no'], ['Unavailable', 403, 'no'], 'PermissionError'],
    [408, 'slow', ['Unavailable', 408, 'slow'], ['Unavailable', 408, 'slow']],
    [429, 'much', ['Unavailable', 429, 'much'], ['Unavailable', 429, 'much']],
    [500, 'select 1', ['Unavailable', 500, failed('GET', 500)], ['ServerFailure', undefined, failed('POST', 500)]],
    [501, 'x', ['Unavailable', 501, failed('GET', 501)], ['ServerFailure', undefined, failed('POST', 501)]],
    [502, undefined, ['Unavailable', 502, failed('GET', 502)], ['Error', undefined, failed('POST', 502)]],
    [503, 'starting', ['Unavailable', 503, failed('GET', 503)], ['Error', undefined, failed('POST', 503)]],
    [504, undefined, ['Unavailable', 504, failed('GET', 504)], ['Error', undefined, failed('POST', 504)]],
    [503, maintenance, ['Unavailable', 503, maintenance], ['Unavailable', 503, maintenance]],
  ])
    it(`reports what is known after ${status} ${message ?? 'without a message'}, ${name}`, async () => {
      const body = message === undefined ? '<html>' : JSON.stringify({ name, message })
      deepEqual(await errorsOf((_req, res) => res.writeHead(status).end(body)), [read, write])
    })

  it('knows nothing of a write whose connection breaks or that has no response in time', async () => {
    const [read, [write]] = await errorsOf((req) => req.socket.destroy())
    deepEqual([read, write], [unreachable, 'TypeError'])
    const [silent, [name]] = await errorsOf(() => undefined, { callTimeoutMs: 100 })
    deepEqual([silent, name], [unreachable, 'TimeoutError'])
  })

  it('knows that nothing was sent without a connection', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address()
    await new Promise((closed) => server.close(closed))
    for (const url of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, 'http://no-such-host.invalid']) {
      const error = await unleashClient({ url, token: 't' })
        .send('POST', 'x')
        .catch((thrown) => thrown)
      deepEqual([error.name, error.status, error.message], unreachable)
    }
  })

  it('does not take a page for a response', async () => {
    const [read, [write]] = await errorsOf((_req, res) => res.end('<html>'))
    deepEqual([read, write], [unreachable, 'SyntaxError'])
    await withClient(
      (_req, res) => res.writeHead(404).end(),
      async (client) => {
        equal(await client.find('x'), undefined)
        await rejects(client.send('GET', 'x'), { name: 'Refusal' })
      },
    )
  })
})
