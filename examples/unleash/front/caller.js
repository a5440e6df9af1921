const { createHash } = require('node:crypto')
const { readText } = require('../server/client')
const { grantsOf } = require('./grants')

/** How long an answer of the server counts. A person who signs out or loses a role is known for that long. */
const freshMs = 3_000
const mostCallers = 1_000

/**
 * Creates the `authenticate` of the router: the server says whose cookie or key a request carries.
 *
 * @param {{ url: string, roles?: Record<string, readonly string[]>, callTimeoutMs?: number }} options `roles`: see `grants.js`.
 */
function createAuthenticate({ url, roles, callTimeoutMs = 5_000 }) {
  const known = new Map()
  const ask = (path, headers) => read(`${url}${path}`, headers, callTimeoutMs)

  /** @throws when the server does not say, so that the router answers 503. */
  return function authenticate({ headers: { cookie, authorization } }) {
    if (cookie === undefined && authorization === undefined) return null
    const headers = { ...(cookie && { cookie }), ...(authorization && { authorization }) }
    const key = createHash('sha256').update(JSON.stringify(headers)).digest('base64')
    const found = known.get(key)
    if (found !== undefined && found.until > Date.now()) return found.actor
    const actor = askServer(ask, headers, roles)
    known.delete(key)
    known.set(key, { actor, until: Date.now() + freshMs })
    if (known.size > mostCallers) known.delete(known.keys().next().value)
    actor.catch(() => known.delete(key))
    return actor
  }
}

async function askServer(ask, headers, roles) {
  const caller = await ask('/api/admin/user', headers)
  if (caller === null) return null
  const { user, permissions } = caller
  // A token has no person behind it, and the server knows no profile of it.
  if (!Number.isInteger(user.id)) return { id: null, username: user.username, grants: grantsOf('token', roles) }
  const isAdmin = permissions.some(({ permission }) => permission === 'ADMIN')
  const role = isAdmin ? 'Admin' : (await ask('/api/admin/user/profile', headers))?.rootRole?.name
  const { id, username, name, email, imageUrl } = user
  return { id, username, name, email, imageUrl, grants: grantsOf(role, roles) }
}

async function read(url, headers, timeoutMs) {
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  const text = await readText(answer)
  if (answer.ok) return JSON.parse(text)
  if ([401, 403, 404].includes(answer.status)) return null
  throw new Error(`The Unleash server answered ${answer.status} to the question who calls.`)
}

module.exports = { createAuthenticate }
