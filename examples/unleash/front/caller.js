const { createHash } = require('node:crypto')
const { readText } = require('../server/client')
const { grantsOf } = require('./grants')
const { groupsInOption, groupsOnServer } = require('./groups')
const { reads } = require('./same-origin')

const maxCallers = 1_000

/**
 * Creates the `authenticate` of the router: the server resolves the cookie or key of a request.
 *
 * - `authenticate`: for reads, the caller may be cached for `freshMs`. All other requests call the server, so that a user whose role
 *   was removed cannot vote, apply or write.
 * - `recent`: the caller, possibly from the cache, for any method.
 * - `forget`: clears the cache. The cookie stays the same when another user signs in.
 *
 * @param {{ url: string, roles?: Record<string, readonly string[]>, groups?: Record<string, readonly string[]>, callTimeoutMs?: number, freshMs?: number }} options
 * `roles`: see `grants.js`; `groups`: see `groups.js`.
 */
function createCallers({ url, roles, groups, callTimeoutMs = 5_000, freshMs = 3_000 }) {
  const known = new Map()
  const ask = (path, headers) => read(`${url}${path}`, headers, callTimeoutMs)

  return { authenticate, recent, forget: () => known.clear() }

  /** @throws if the server does not return the caller; the router then responds with 503 */
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
    const actor = askServer((path) => ask(path, credentials), { roles, groups })
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

async function askServer(ask, { roles, groups }) {
  const caller = await ask('/api/admin/user')
  if (caller === null) return null
  const { user, permissions } = caller
  const { id, username, name, email, imageUrl } = user
  // A token has no user and no profile on the server.
  if (!Number.isInteger(id)) return { id: null, username, grants: grantsOf('token', roles) }
  const profile = await ask('/api/admin/user/profile')
  const isAdmin = permissions.some(({ permission }) => permission === 'ADMIN')
  const role = isAdmin ? 'Admin' : profile?.rootRole?.name
  return {
    ...{ id, username, name, email, imageUrl },
    grants: grantsOf(role, roles),
    groups: [...new Set([...groupsInOption(user, groups), ...(await groupsOnServer(ask, profile))])],
  }
}

async function read(url, headers, timeoutMs) {
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  const text = await readText(answer)
  if (answer.ok) return JSON.parse(text)
  if ([401, 403, 404].includes(answer.status)) return null
  throw new Error(`The Unleash server responded with ${answer.status} when asked for the caller.`)
}

module.exports = { createCallers }
