const { createProxyMiddleware } = require('http-proxy-middleware')
const { refuse } = require('../refuse')

/** How long the server may be silent in the middle of a request. */
const silenceMs = 120_000

/** Creates what answers when the server does not. */
function createProxyError(logger) {
  return (err, req, res) => {
    logger.error({ err, method: req.method }, 'The Unleash server did not answer.')
    if (res.headersSent || res.status === undefined) res.destroy()
    else refuse(res, 502, 'UnavailableError', 'The Unleash server did not answer.')
  }
}

/** Creates the proxy to the server. A body that the gates have read is sent as they read it. */
function createProxy(url, error, proxyTimeout = silenceMs) {
  return createProxyMiddleware({
    target: url,
    changeOrigin: true,
    xfwd: true,
    proxyTimeout,
    on: {
      proxyReq(proxyRequest, req) {
        if (req.write !== undefined) sendBody(proxyRequest, req.write.body)
      },
      error,
    },
  })
}

function sendBody(proxyRequest, body) {
  const text = body === undefined ? '' : JSON.stringify(body)
  for (const name of ['transfer-encoding', 'content-encoding']) proxyRequest.removeHeader(name)
  if (text !== '') proxyRequest.setHeader('content-type', 'application/json')
  proxyRequest.setHeader('content-length', Buffer.byteLength(text))
  if (text !== '') proxyRequest.write(text)
}

module.exports = { createProxy, createProxyError, silenceMs }
