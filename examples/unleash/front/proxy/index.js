const http = require('node:http')
const https = require('node:https')
const { pipeline } = require('node:stream')
const { createProxyMiddleware } = require('http-proxy-middleware')
const { refuse } = require('../refuse')

/** How long the server may be silent in the middle of a request. */
const silenceMs = 120_000

/** How long a connection to the server stays open without a request: Node's own servers close it after 5 seconds. */
const idleMs = 4_000

/** Headers about the connection to the server. The one to the client has its own. */
const hopByHop = ['connection', 'keep-alive', 'proxy-authenticate', 'trailer', 'transfer-encoding', 'upgrade']

/** Creates what keeps connections to the server open between requests. */
function createAgent(url) {
  const { Agent } = url.startsWith('https:') ? https : http
  return new Agent({ keepAlive: true, timeout: idleMs })
}

/** Creates what answers when the server does not. */
function createProxyError(logger) {
  return (err, req, res) => {
    logger.error({ err, method: req.method }, 'The Unleash server did not answer.')
    if (res.headersSent || res.status === undefined) res.destroy()
    else refuse(res, 502, 'UnavailableError', 'The Unleash server did not answer.')
  }
}

/**
 * Creates a proxy to the server. A body that the gates have read is sent as they read it.
 *
 * @param {object} options
 * @param {string} options.url The address of the server.
 * @param {http.Agent} options.agent See {@link createAgent}.
 * @param {(err: Error, req: object, res: object) => void} options.onError See {@link createProxyError}.
 * @param {(req: object) => void} [options.onAnswer] Called when the server has answered, before the client has all of the answer: the
 * server stores a session after the headers and before the end.
 * @param {(answer: http.IncomingMessage, req: object, res: object) => unknown} [options.pass] Passes it on. Default: as it is.
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
  // Where one side breaks off, the other is closed too.
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
