const { once } = require('node:events')
const { createServer } = require('node:http')
const { isSigned } = require('../webhooks/verify')

const everyMs = 60_000
const maxBodyBytes = 1024 * 1024

/**
 * Reports a check of every change request that waits for it. A report that is rejected is found again: the content was edited
 * meanwhile, or the server could not be reached.
 *
 * @param client of express-change-requests/client
 * @param {(review: object, place: { project: string, id: number }) => Promise<{ status: string, summary?: string, url?: string }>} decide
 */
async function reportAll(client, check, decide) {
  let cursor
  do {
    const { body } = await client.reviews({ check, limit: 20, ...(cursor && { cursor }) })
    for (const { project, id } of body.reviews) {
      const place = { project, id }
      const { body: review } = await client.review(place)
      // The flags cannot be read, so what would be applied is unknown.
      if (review.digest === null) continue
      const result = await decide(review, place)
      await client.reportCheck(place, check, { ...result, digest: review.digest }).catch(warn)
    }
    cursor = body.next
  } while (cursor)
}

/** Reports at the start, every minute, and as soon as a webhook comes: a tag or an implied change writes no event. */
async function serve({ client, check, decide, secret = process.env.WEBHOOK_SECRET, port = process.env.PORT || 4244 }) {
  let wake = () => {}
  const server = createServer(async (req, res) => {
    const body = await readBody(req).catch(() => undefined)
    if (body === undefined || !secret || !isSigned(secret, req.headers, body)) return res.writeHead(401).end()
    wake()
    res.writeHead(204).end()
  }).listen(Number(port), '127.0.0.1')
  await once(server, 'listening')
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}/\n`)
  for (;;) {
    const woken = new Promise((resolve) => {
      wake = resolve
    })
    await reportAll(client, check, decide).catch(warn)
    await Promise.race([woken, new Promise((resolve) => setTimeout(resolve, everyMs))])
  }
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

function warn(error) {
  process.stderr.write(`${error.message}\n`)
}

module.exports = { reportAll, serve }
