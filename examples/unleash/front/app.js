const express = require('express')
const { reviewPage } = require('express-change-requests/page')
const { passEndToEnd } = require('./proxy/end-to-end')
const { createGates } = require('./gates')
const { createHealth } = require('./health')
const { createNotice } = require('./notice')
const { createProxy, createProxyError } = require('./proxy')
const { refuse } = require('./refuse')
const { requireSameOrigin } = require('./same-origin')

/** Paths that both the server and the router have. They stay with the server; the router is below `/reviewed`. */
const shared = /^\/api\/admin\/(events|search\/events|event-creators)(\/|$)/i

/** Requests that change the user of a cookie. */
const signsInOrOut = /^\/(auth|invite|logout)(\/|$)/i

/**
 * The Express app in front of the server: change requests, the gates, and a proxy for everything else.
 *
 * @param {object} options
 * @param {string} options.url The URL of the server.
 * @param {import('node:http').Agent} options.agent See `createAgent` in `proxy/index.js`.
 * @param {string} options.publicUrl The public URL of the front.
 * @param {import('express-change-requests').Logger} options.logger
 * @param {boolean} options.banner See `notice/index.js`.
 * @param {...object} options.host See `gates.js` and `health.js`.
 */
function createApp({ url, agent, publicUrl, banner, logger, ...host }) {
  const { router, callers } = host
  const onAnswer = ({ url }) => signsInOrOut.test(url.split('?', 1)[0]) && callers.forget()
  const link = { url, agent, onAnswer, onError: createProxyError(logger) }
  const app = express()
  app.disable('x-powered-by')
  app.use(passEndToEnd)
  app.use(requireSameOrigin(publicUrl))
  app.get('/reviewed/health', createHealth(host))
  app.use('/reviewed', router)
  app.use('/review', reviewPage({ api: '/reviewed/api/admin', signIn: 'host', signInUrl: '/login' }))
  app.use((req, res, next) => (shared.test(req.path) ? next() : router(req, res, next)))
  app.use(createNotice(link, { banner }))
  app.use(createGates({ ...host, logger }))
  app.use(createProxy(link))
  app.use((error, _req, res, next) => {
    if (res.headersSent) next(error)
    else if (error.status === 400) refuse(res, 400, 'BadDataError', 'The request could not be read.')
    else {
      logger.error({ err: error }, 'A request failed.')
      refuse(res, 500, 'UnknownError', 'Something went wrong.')
    }
  })
  return app
}

module.exports = { createApp }
