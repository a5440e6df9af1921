const { refuse } = require('../refuse')

/** Headers that must not be forwarded: hop-by-hop headers, and those that could override the checked method. */
const dropped = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]

/**
 * Middleware in front of the proxy. For these methods, `http-proxy` sends a chunked body after `Content-Length: 0`; on a
 * keep-alive connection the server would treat it as another request, which no gate has checked. With the header Expect it
 * sends the original body instead of the checked one.
 */
function passEndToEnd(req, res, next) {
  if (['DELETE', 'OPTIONS'].includes(req.method) && req.headers['transfer-encoding'] !== undefined) {
    return refuse(res, 411, 'BadDataError', `Send a Content-Length with the body of ${req.method}.`)
  }
  for (const name of dropped) delete req.headers[name]
  next()
}

module.exports = { passEndToEnd }
