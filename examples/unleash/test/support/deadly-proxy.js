const { once } = require('node:events')
const { createServer } = require('node:http')

/** @typedef {'pass' | 'refuse' | 'stop' | 'cut' | 'give up' | number} Choice */

/**
 * A proxy that counts the requests that write.
 *
 * @param {string} target
 * @param {(write: { number: number, moment: 'before' | 'after' }) => Choice | Promise<Choice>} decide Called before
 * each of them is forwarded, and before its response is. `refuse`: responds with 409. `stop`: never responds.
 * `cut`: closes the connection. `give up`: responds with 504, like a proxy whose server takes too long. A number: responds
 * with this status.
 */
async function startProxy(target, decide) {
  let writes = 0
  const server = createServer(async (req, res) => {
    const chunks = []
    for await (const chunk of req) chunks.push(chunk)
    const number = req.method === 'GET' ? 0 : ++writes
    const choice = number > 0 ? await decide({ number, moment: 'before' }) : 'pass'
    if (choice === 'refuse') return res.writeHead(409).end('{"message":"refused by the test"}')
    if (choice === 'give up') return res.writeHead(504).end('{"message":"given up by the test"}')
    if (typeof choice === 'number')
      return res.writeHead(choice).end('{"name":"PermissionError","message":"said by the test"}')
    if (choice === 'cut') return req.socket.destroy()
    if (choice === 'stop') return
    const answer = await fetch(target + req.url, {
      method: req.method,
      headers: { authorization: req.headers.authorization, 'content-type': 'application/json' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const text = await answer.text()
    if (number > 0 && (await decide({ number, moment: 'after' })) === 'stop') return
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    writes: () => writes,
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => server.close(closed))
    },
  }
}

module.exports = { startProxy }
