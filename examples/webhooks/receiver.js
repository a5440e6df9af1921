const { randomBytes } = require('node:crypto')
const { once } = require('node:events')
const { createServer } = require('node:http')
const { isSigned } = require('./verify')

const maxBodyBytes = 1024 * 1024
const maxRemembered = 10_000

/** Prints each event once. A request that is not signed gets 401, and a repeated one 204 without being printed again. */
function createReceiver(secret, print) {
  const seen = new Set()
  return createServer(async (req, res) => {
    // A client that leaves must not end the receiver.
    const body = await readBody(req).catch(() => null)
    if (body === null) return res.destroy()
    if (body === undefined) return res.writeHead(413, { Connection: 'close' }).end()
    if (req.method !== 'POST' || !isSigned(secret, req.headers, body)) return res.writeHead(401).end()
    const id = req.headers['webhook-id']
    if (!seen.has(id)) {
      print(JSON.parse(body.toString()))
      seen.add(id)
      // A receiver that must not handle an event twice stores the ids with what it does.
      if (seen.size > maxRemembered) seen.delete(seen.values().next().value)
    }
    // Only now: another status, or none, means that the event comes again.
    res.writeHead(204).end()
  })
}

/** The bytes of the body; undefined if there are too many. */
async function readBody(req) {
  const chunks = []
  let bytes = 0
  for await (const chunk of req) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function print({ type, timestamp, data }) {
  const { id, createdBy, project, environment } = data
  process.stdout.write(`${timestamp} ${type} event=${id} by=${createdBy} in=${project}/${environment}\n`)
}

async function main() {
  const secret = process.env.WEBHOOK_SECRET || `whsec_${randomBytes(32).toString('base64')}`
  const server = createReceiver(secret, print).listen(Number(process.env.PORT || 4243), '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}/`
  process.stdout.write(`Start the example server with: WEBHOOK_URL=${url} WEBHOOK_SECRET=${secret} npm start\n`)
  process.stdout.write(`listening on ${url}\n`)
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  server.close()
  server.closeAllConnections()
}

main().catch((error) => {
  process.stderr.write(`Cannot start: ${error.message}\n`)
  process.exitCode = 1
})
