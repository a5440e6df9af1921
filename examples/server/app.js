const express = require('express')
const openapi = require('express-change-requests/openapi.json')
const { refuse } = require('./refuse')

/** The app with the router: pages, health and OpenAPI are public, everything else needs authentication. */
function createApp({ router, flagRoutes, pages, signIn }) {
  const app = express()
  app.disable('x-powered-by')
  app.get('/health', async (_req, res) => {
    const health = await router.health()
    res
      .status(health.reachable ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json(health)
  })
  app.get('/openapi.json', (_req, res) => {
    res.json(openapi)
  })
  app.use(router)
  app.use(flagRoutes)
  app.use(signIn)
  app.use(pages)
  app.use((_req, res) => {
    refuse(res, 404, 'NotFoundError', 'The path does not exist. GET /openapi.json lists all endpoints.')
  })
  // Express's own handler would send the stack outside production.
  app.use((error, _req, res, next) => {
    if (res.headersSent) next(error)
    else if (error.status === 400) refuse(res, 400, 'BadDataError', 'The request could not be read.')
    else refuse(res, 500, 'UnknownError', 'Something went wrong.')
  })
  return app
}

module.exports = { createApp }
