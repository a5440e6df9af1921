const { sameOrigin } = require('express-change-requests')
const { refuse } = require('./refuse')

const reads = ['GET', 'HEAD', 'OPTIONS']

/**
 * Creates middleware against cross-site writes (CSRF): browsers send the cookie of the server automatically. Requests with a
 * key are not affected.
 *
 * @param {string} url The public URL of the front.
 */
function requireSameOrigin(url) {
  const own = new URL(url).host
  return (req, res, next) => {
    const { cookie, authorization } = req.headers
    const carriesCookie = cookie !== undefined && authorization === undefined
    if (!carriesCookie || sameOrigin(req, { hosts: [own] })) return next()
    refuse(res, 403, 'PermissionError', 'Nothing was changed: requests from other sites are not accepted.')
  }
}

module.exports = { reads, requireSameOrigin }
