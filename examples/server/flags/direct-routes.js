const express = require('express')
const { ChangeRequestError } = require('express-change-requests')
const { refuse } = require('../refuse')

const path = '/api/admin/projects/:project/features/:feature/environments/:environment'
const statuses = { BadDataError: 400, AuthenticationRequired: 401, NotFoundError: 404, ConflictError: 409 }

/**
 * Direct writes of the host app: `PATCH` of a flag in an environment, and `POST` of a strategy. Where change requests are
 * enabled, the gate passes callers who can skip the review, and adds what others send to their draft.
 */
function createDirectRoutes({ router, store, gateway, authenticate }) {
  const routes = express.Router()
  const place = ({ params }) => ({ project: params.project, environment: params.environment })
  const write = (toChange) => [
    express.json(),
    router.gate(place, { propose: toChange }),
    (req, res, next) => {
      writeDirectly(req, toChange)
        .then(() => res.status(204).end())
        .catch((error) => {
          const status = ChangeRequestError.is(error) ? (statuses[error.name] ?? 403) : undefined
          if (status === undefined) next(error)
          else refuse(res, status, error.name, error.message)
        })
    },
  ]
  routes.patch(path, write(toUpdate))
  routes.post(`${path}/strategies`, write(toStrategy))
  return routes

  async function writeDirectly(req, toChange) {
    const by = await requireWriter(req)
    const change = toChange(req)
    const { project, environment } = place(req)
    if (!(await store.hasProject(project, environment)))
      throw refusal('NotFoundError', 'The environment does not exist.')
    await store.transaction(async (transaction) => {
      const about = { project, environment, features: [change.feature], segments: [] }
      await store.current(about, { transaction, forUpdate: true })
      const events = await gateway.apply([change], { transaction, project, environment })
      const recorded = events.map(({ changeId: _, ...event }) => ({ ...event, project, environment, ...by }))
      await router.events.record(recorded, { transaction })
    })
  }

  /** Where change requests are disabled, the gate does not check permissions, so this route does. */
  async function requireWriter(req) {
    const actor = await authenticate(req)
    if (actor === null) throw refusal('AuthenticationRequired', 'Send your API key in the header Authorization.')
    const writers = ['ADMIN', 'CREATE_CHANGE_REQUEST', 'SKIP_CHANGE_REQUEST']
    if (!actor.grants?.some(({ permission }) => writers.includes(permission))) {
      throw refusal('ForbiddenError', 'You need permission to change flags.')
    }
    return { createdBy: actor.email ?? actor.username ?? 'unknown', createdByUserId: actor.id }
  }
}

function toUpdate({ params: { feature }, body }) {
  if (typeof body?.enabled !== 'boolean') throw refusal('BadDataError', 'Send {"enabled": true} or {"enabled": false}.')
  return { action: 'updateEnabled', feature, payload: { enabled: body.enabled } }
}

function toStrategy({ params: { feature }, body }) {
  const { name, title, parameters = {}, constraints = [], segments = [] } = body ?? {}
  const parts = [parameters, constraints, segments]
  if (typeof name !== 'string' || parts.some((part) => typeof part !== 'object' || part === null)) {
    throw refusal('BadDataError', 'Send a strategy such as {"name": "flexibleRollout", "parameters": {}}.')
  }
  const payload = { name, ...(title === undefined ? {} : { title }), parameters, constraints, segments: [...segments] }
  return { action: 'addStrategy', feature, payload }
}

function refusal(name, message) {
  return new ChangeRequestError(name, message)
}

module.exports = { createDirectRoutes }
