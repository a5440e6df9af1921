const { createProxyMiddleware } = require('http-proxy-middleware')
const { refuse } = require('./refuse')

/** Headers by which a server might take another method, or another protocol, than was judged. */
const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override', 'upgrade']

/** Creates what answers when the server does not. */
function createProxyError(logger) {
  return (err, req, res) => {
    logger.error({ err, method: req.method }, 'The Unleash server did not answer.')
    if (res.headersSent || res.status === undefined) res.destroy()
    else refuse(res, 502, 'UnavailableError', 'The Unleash server did not answer.')
  }
}

/** Creates the proxy to the server. A body that the gates have read is sent as they read it. */
function createProxy(url, error) {
  return createProxyMiddleware({
    target: url,
    changeOrigin: true,
    xfwd: true,
    on: {
      proxyReq(proxyRequest, req) {
        for (const name of overrides) proxyRequest.removeHeader(name)
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

module.exports = { createProxy, createProxyError }
