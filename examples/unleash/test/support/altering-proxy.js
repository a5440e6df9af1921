const { once } = require('node:events')
const express = require('express')
const { createProxyMiddleware, responseInterceptor } = require('http-proxy-middleware')

/**
 * A proxy that simulates a server with other responses.
 *
 * @param {string} target
 * @returns {Promise<{ url: string, alter: (alter?: (path: string, body: any) => any) => void, stop: () => Promise<void> }>}
 * `alter`: from now on each JSON answer is what the function makes of it, with the status 404 where it returns undefined.
 */
async function startAlteringProxy(target) {
  let alter
  const rewrite = responseInterceptor(async (body, answer, req, res) => {
    const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json')
    if (alter === undefined || !isJson || answer.statusCode !== 200) return body
    const altered = alter(req.path, JSON.parse(body))
    if (altered === undefined) res.statusCode = 404
    return JSON.stringify(altered ?? {})
  })
  const proxy = createProxyMiddleware({ target, selfHandleResponse: true, on: { proxyRes: rewrite } })
  const server = express().use(proxy).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    alter(next) {
      alter = next
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

module.exports = { startAlteringProxy }
