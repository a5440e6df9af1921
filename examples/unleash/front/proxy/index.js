const http = require('node:http')
const https = require('node:https')
const { pipeline } = require('node:stream')
const { createProxyMiddleware } = require('http-proxy-middleware')
const { refuse } = require('../refuse')

/** How long the server may send nothing during a request. */
const silenceMs = 120_000

/** How long an idle connection to the server stays open; less than the 5 seconds after which Node servers close it. */
const idleMs = 4_000

/** Hop-by-hop headers of the server, which are not forwarded. */
const hopByHop = ['connection', 'keep-alive', 'proxy-authenticate', 'trailer', 'transfer-encoding', 'upgrade']

/**
 * Responses that may contain tokens, passwords or links to set one. The server allows caches to store most of them. Reads of SDKs
 * are elsewhere.
 */
const mayHaveSecrets = /^\/(api\/admin|auth|invite)(\/|\?|$)/i

/** Creates an agent that keeps connections to the server open between requests. */
function createAgent(url) {
  const { Agent } = url.startsWith('https:') ? https : http
  return new Agent({ keepAlive: true, timeout: idleMs })
}

/** Creates the handler for a server that does not respond. */
function createProxyError(logger) {
  return (err, req, res) => {
    logger.error({ err, method: req.method }, 'The Unleash server did not respond.')
    if (res.headersSent || res.status === undefined) res.destroy()
    else refuse(res, 502, 'UnavailableError', 'The Unleash server did not respond.')
  }
}

/**
 * Creates a proxy to the server. A body that the gates have read is sent as they parsed it.
 *
 * @param {object} options
 * @param {string} options.url The URL of the server.
 * @param {http.Agent} options.agent See {@link createAgent}.
 * @param {(err: Error, req: object, res: object) => void} options.onError See {@link createProxyError}.
 * @param {(req: object) => void} [options.onAnswer] Called when the response of the server has ended, before the client has all of it: the
 * server stores a session after the headers and before the end.
 * @param {(answer: http.IncomingMessage, req: object, res: object) => unknown} [options.pass] Forwards the response. Default: unchanged.
 * @param {number} [options.proxyTimeout]
 */
function createProxy({ url, agent, onError, onAnswer, pass = passAnswer, proxyTimeout = silenceMs }) {
  return createProxyMiddleware({
    target: url,
    agent,
    changeOrigin: true,
    xfwd: true,
    proxyTimeout,
    selfHandleResponse: true,
    on: {
      proxyReq(proxyRequest, req) {
        if (req.write !== undefined) sendBody(proxyRequest, req.write.body)
      },
      proxyRes(answer, req, res) {
        for (const event of ['end', 'close']) answer.once(event, () => onAnswer?.(req))
        for (const name of hopByHop) delete answer.headers[name]
        if (mayHaveSecrets.test(req.originalUrl)) answer.headers['cache-control'] = 'no-store'
        pass(answer, req, res)
      },
      error: onError,
    },
  })
}

function passAnswer(answer, _req, res) {
  res.statusCode = answer.statusCode
  res.statusMessage = answer.statusMessage
  for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value)
  // If one side disconnects, the other is closed too.
  pipeline(answer, res, () => {})
}

function sendBody(proxyRequest, body) {
  const text = body === undefined ? '' : JSON.stringify(body)
  for (const name of ['transfer-encoding', 'content-encoding']) proxyRequest.removeHeader(name)
  if (text !== '') proxyRequest.setHeader('content-type', 'application/json')
  proxyRequest.setHeader('content-length', Buffer.byteLength(text))
  if (text !== '') proxyRequest.write(text)
}

module.exports = { createAgent, createProxy, createProxyError }
