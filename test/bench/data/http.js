const http = require('node:http')
const https = require('node:https')

/** A client of any server with one persistent connection. `ask` reads the whole response and returns how long it took. */
function openClient(base, headers) {
  const { Agent, request } = base.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = ({ method = 'GET', path, body }) =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const req = request(`${base}${path}`, { method, agent, headers: { ...headers, ...type } }, (res) => {
        const chunks = []
        res.on('data', (chunk) => chunks.push(chunk))
        res.on('end', () => {
          const totalMs = performance.now() - start
          resolve({ status: res.statusCode, totalMs, body: Buffer.concat(chunks).toString() })
        })
        res.on('error', reject)
      })
      req.once('error', reject)
      req.end(body)
    })
  return { ask, close: () => agent.destroy() }
}

module.exports = { openClient }
