const { once } = require('node:events')
const { createServer } = require('node:http')

/** Proposes a change and reads the log through an app that has the router; prints the responses. */
async function tryOut(app, key) {
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${server.address().port}/api/admin`
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } })
  const proposed = await fetch(`${base}/projects/shop/environments/production/change-requests`, {
    method: 'POST',
    headers,
    body,
  })
  const log = await fetch(`${base}/events?project=shop`, { headers })
  const answers = {
    proposed: [proposed.status, (await proposed.json()).state],
    log: [log.status, (await log.json()).events.map(({ type }) => type)],
    unknownKey: (await fetch(`${base}/events`, { headers: { Authorization: 'nobody' } })).status,
  }
  server.close()
  await once(server, 'close')
  return answers
}

module.exports = { tryOut }
