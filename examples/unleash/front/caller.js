const { createHash } = require('node:crypto')
const { readText } = require('../server/client')
const { grantsOf } = require('./grants')
const { reads } = require('./same-origin')

const maxCallers = 1_000

/**
 * Creates the `authenticate` of the router: the server says whose cookie or key a request carries.
 *
 * - `authenticate`: a read may get an answer that is up to `freshMs` old. Every other request asks the server, so that a lost role
 *   no longer votes, applies or writes.
 * - `recent`: an answer that may be that old, whatever the method.
 * - `forget`: from now on each caller is asked for again. The cookie stays the same when another person signs in.
 *
 * @param {{ url: string, roles?: Record<string, readonly string[]>, callTimeoutMs?: number, freshMs?: number }} options
 * `roles`: see `grants.js`.
 */
function createCallers({ url, roles, callTimeoutMs = 5_000, freshMs = 3_000 }) {
  const known = new Map()
  const ask = (path, headers) => read(`${url}${path}`, headers, callTimeoutMs)

  return { authenticate, recent, forget: () => known.clear() }

  /** @throws when the server does not say, so that the router answers 503. */
  function authenticate(req) {
    return reads.includes(req.method) ? recent(req) : askAgain(req)
  }

  function recent(req) {
    const found = known.get(keyOf(req))
    return found !== undefined && found.until > Date.now() ? found.actor : askAgain(req)
  }

  function askAgain(req) {
    const credentials = credentialsOf(req)
    if (credentials === null) return null
    const key = keyOf(req)
    const actor = askServer(ask, credentials, roles)
    known.delete(key)
    known.set(key, { actor, until: Date.now() + freshMs })
    if (known.size > maxCallers) known.delete(known.keys().next().value)
    actor.catch(() => known.delete(key))
    return actor
  }
}

function credentialsOf({ headers: { cookie, authorization } }) {
  if (cookie === undefined && authorization === undefined) return null
  return { ...(cookie && { cookie }), ...(authorization && { authorization }) }
}

const keyOf = (req) =>
  createHash('sha256')
    .update(JSON.stringify(credentialsOf(req)))
    .digest('base64')

async function askServer(ask, headers, roles) {
  const caller = await ask('/api/admin/user', headers)
  if (caller === null) return null
  const { user, permissions } = caller
  const { id, username, name, email, imageUrl } = user
  // A token has no person behind it, and the server knows no profile of it.
  if (!Number.isInteger(id)) return { id: null, username, grants: grantsOf('token', roles) }
  const isAdmin = permissions.some(({ permission }) => permission === 'ADMIN')
  const role = isAdmin ? 'Admin' : (await ask('/api/admin/user/profile', headers))?.rootRole?.name
  return { id, username, name, email, imageUrl, grants: grantsOf(role, roles) }
}

async function read(url, headers, timeoutMs) {
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  const text = await readText(answer)
  if (answer.ok) return JSON.parse(text)
  if ([401, 403, 404].includes(answer.status)) return null
  throw new Error(`The Unleash server answered ${answer.status} to the question who calls.`)
}

module.exports = { createCallers }
