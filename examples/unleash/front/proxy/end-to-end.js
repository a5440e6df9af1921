const { refuse } = require('../refuse')

/** Headers about a connection, which end here, and those by which a server might take another method than was judged. */
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
 * Middleware before all that asks the server. `http-proxy` sends a chunked body of these methods behind a length of 0: on a
 * connection that stays open, the server would take it for one more request, which no gate has seen. With the header Expect
 * it sends what came, and not what was judged.
 */
function passEndToEnd(req, res, next) {
  if (['DELETE', 'OPTIONS'].includes(req.method) && req.headers['transfer-encoding'] !== undefined) {
    return refuse(res, 411, 'BadDataError', `A body of ${req.method} needs a length.`)
  }
  for (const name of dropped) delete req.headers[name]
  next()
}

module.exports = { passEndToEnd }
