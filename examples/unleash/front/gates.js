const express = require('express')
const { ChangeRequestError } = require('express-change-requests')
const { plainSegments } = require('../routes/plain-path')
const { findRow, isRow, table } = require('../routes/table')
const { findPlace } = require('./place')
const { refuse } = require('./refuse')
const { reads } = require('./same-origin')

/** The header on responses of the front to a write: the URL of the review, or empty. See `notice/in-page.js`. */
const heldHeader = 'Review-Held'

/** The server accepts 500 kB for an import, and 100 kB for everything else. */
const readBody = express.json({ type: () => true, strict: false, limit: '500kb' })

/**
 * Creates the middleware in front of the proxy. Reads pass. A write passes if it is in the table and its gate lets it pass. The
 * proxy then sends the path and the body that were checked, never the original ones.
 *
 * @param {object} options
 * @param {import('express-change-requests').ChangeRequestRouter} options.router
 * @param {object} options.callers See `caller.js`.
 * @param {object} options.onServer See `directory.js`.
 * @param {object} options.client A client of the server, to create changes from the current state.
 * @param {readonly string[]} options.actions The actions that can be proposed.
 * @param {object[]} options.unknown Writing routes of the server that are not in the table: see `server-version.js`.
 * @param {(changeRequest: object) => string} options.reviewUrl Returns the URL of a change request on the review page.
 * @param {import('express-change-requests').Logger} options.logger
 */
function createGates({ router, callers, onServer, client, actions, unknown, reviewUrl, logger }) {
  const host = { onServer, client, isGated: (place) => router.takesChangeRequests(place) }
  const gates = new Map(table.filter(({ touches }) => touches !== undefined).map((row) => [row, createGate(row)]))

  function createGate({ toChanges }) {
    const describe = async ({ write }) => {
      write.place = await findPlace(write, host).catch(outOfReach)
      return write.place
    }
    return router.gate(describe, {
      ...(toChanges && { propose: (req) => propose(toChanges, req), answer: sayWhere }),
    })
  }

  /** Null if the gateway could not apply it. */
  async function propose(toChanges, { write }) {
    const changes = await toChanges({ ...write, client })
    return changes?.every(({ action }) => actions.includes(action)) ? changes : null
  }

  function sayWhere(_req, res, changeRequest) {
    const { id, environment } = changeRequest
    const message = `Nothing was changed: ${environment} requires change requests. Your change was added to your change request ${id}: ${reviewUrl(changeRequest)}`
    res.set(heldHeader, reviewUrl(changeRequest))
    refuse(res, 403, 'PermissionError', message)
  }

  /** Events of the server have no field for the reason, so a skipped review is logged here. */
  async function noteSkip(req) {
    const { path, place } = req.write
    const places = place === null ? [] : [place].flat()
    const gated = await Promise.all(places.map((each) => host.isGated(each).catch(() => true)))
    if (!gated.includes(true)) return
    const { username, email } = await callers.recent(req)
    const reason = decodeURIComponent(req.get('Change-Request-Skip-Reason') ?? '') || null
    logger.info(
      { by: username ?? email, reason, method: req.method, path, ...(places.length > 1 ? { places } : places[0]) },
      'A write skipped the review.',
    )
  }

  /** Authenticates before anything is read, from the request or from the server. */
  function requireCaller(req, res, next) {
    Promise.resolve(callers.recent(req)).then(
      (caller) => (caller === null ? refuse(res, 401, 'AuthenticationRequired', 'Nobody is signed in.') : next()),
      () => refuse(res, 503, 'UnavailableError', 'The Unleash server did not return the caller. Try again.'),
    )
  }

  return function gate(req, res, next) {
    if (reads.includes(req.method)) return next()
    const segments = plainSegments(req.originalUrl)
    const isUnknown = segments && unknown.some((row) => isRow(row, req.method, segments))
    const found = isUnknown ? undefined : segments && findRow(req.method, segments)
    if (found === undefined) return refuseUnknown(req, res)
    const { search } = new URL(req.originalUrl, 'http://front')
    req.url = `${found.path}${search}`
    const guard = gates.get(found.row)
    if (guard === undefined) return next()
    const judge = (error) => {
      if (error) return refuse(res, error.status ?? 400, 'BadDataError', 'The body could not be read as JSON.')
      req.write = { ...found, body: req.body, query: Object.fromEntries(new URLSearchParams(search)) }
      res.set(heldHeader, '')
      guard(req, res, (error) => {
        if (error) return next(error)
        res.removeHeader(heldHeader)
        noteSkip(req).then(() => next(), next)
      })
    }
    requireCaller(req, res, () => readBody(req, res, judge))
  }
}

/** A server that cannot be read is a temporary failure: clients may retry. */
function outOfReach(error) {
  if (ChangeRequestError.is(error)) throw error
  throw new ChangeRequestError(
    'UnavailableError',
    'The flags of the write could not be read from the Unleash server. Try again.',
    {
      cause: error,
    },
  )
}

function refuseUnknown(req, res) {
  const message = `Nothing was changed: the route ${req.method} ${req.path} is unknown to the review, so it is blocked.`
  res.set(heldHeader, '')
  refuse(res, 403, 'PermissionError', message)
}

module.exports = { createGates }
