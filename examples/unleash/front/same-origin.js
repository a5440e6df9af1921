const { refuse } = require('./refuse')

const reads = ['GET', 'HEAD', 'OPTIONS']

/**
 * Creates middleware against writes that another site causes: the browser adds the cookie of the server by itself. A key it
 * does not add.
 *
 * @param {string} url Where people reach the front.
 */
function requireSameOrigin(url) {
  const own = new URL(url).host
  return (req, res, next) => {
    const { origin, cookie, authorization, host } = req.headers
    const carriesCookie = cookie !== undefined && authorization === undefined
    if (reads.includes(req.method) || !carriesCookie || origin === undefined) return next()
    const from = URL.canParse(origin) ? new URL(origin).host : undefined
    if (from === own || from === host) return next()
    refuse(res, 403, 'PermissionError', 'Nothing was changed: another site sent this.')
  }
}

module.exports = { reads, requireSameOrigin }
