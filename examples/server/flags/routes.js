const express = require('express')
const { ChangeRequestError } = require('express-change-requests')
const { refuse } = require('../refuse')

/** `GET /api/admin/projects/:project/features`: the flags of a project, for all authenticated callers. */
function createFlagRoutes({ store, authenticate }) {
  const router = express.Router()
  router.get('/api/admin/projects/:project/features', (req, res, next) => {
    answer(store, authenticate, req, res).catch((error) => {
      // Only a key of the wrong kind fails with this error.
      if (ChangeRequestError.is(error)) refuse(res, 403, error.name, error.message)
      else next(error)
    })
  })
  return router
}

async function answer(store, authenticate, req, res) {
  if ((await authenticate(req)) === null) {
    refuse(res, 401, 'UnauthorizedError', 'Send a valid API key in the header Authorization.')
    return
  }
  const { project } = req.params
  if (!(await store.hasProject(project))) {
    refuse(res, 404, 'NotFoundError', 'The project does not exist.')
    return
  }
  res.set('Cache-Control', 'no-store').json({ version: 1, ...(await store.list(project)) })
}

module.exports = { createFlagRoutes }
