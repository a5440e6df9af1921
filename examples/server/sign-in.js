const { createHash, randomBytes } = require('node:crypto')
const express = require('express')
const { apiKeys, ChangeRequestError, sameOrigin } = require('express-change-requests')

const cookie = 'example-session'

/**
 * An example of the sign-in of a host app: a secret link sets a cookie. Programs send a key instead. Links and sessions end
 * with the process.
 */
function createSignIn(users) {
  const byKey = apiKeys(users.map(({ key, user, grants }) => ({ key, user, grants })))
  const links = new Map()
  const sessions = new Map()
  const routes = express.Router()
  routes.get('/as/:name', (req, res, next) => {
    const session = links.get(digest(req.query.code))
    if (session === undefined || session.name !== req.params.name) return next()
    // HttpOnly: scripts cannot read it. Strict: requests from other sites do not send it.
    res.cookie(cookie, session.secret, { httpOnly: true, sameSite: 'strict', path: '/' })
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect(returnAddress(req))
  })

  return {
    routes,
    authenticate(req) {
      if (req.headers.authorization !== undefined) return byKey(req)
      const actor = sessions.get(digest(readCookie(req)))
      if (actor === undefined) return null
      // Browsers send the cookie automatically, so a write must come from a page of this server (CSRF).
      if (!sameOrigin(req))
        throw new ChangeRequestError('ForbiddenError', 'Requests from other sites are not accepted.')
      return actor
    },
    /** The path of the sign-in link of a user. */
    linkOf({ user, grants }) {
      const code = randomBytes(24).toString('base64url')
      const secret = randomBytes(32).toString('base64url')
      links.set(digest(code), { name: user.username, secret })
      sessions.set(digest(secret), { ...user, grants })
      return `/as/${user.username}?code=${code}`
    },
  }
}

/** Where to go after the sign-in: only to pages of this server. The check needs the whole URL, because `//evil` is another origin. */
function returnAddress(req) {
  const ownOrigin = `${req.protocol}://${req.get('host')}`
  const value = String(req.query.returnTo)
  const isAddress = req.query.returnTo !== undefined && URL.canParse(value, ownOrigin)
  const url = isAddress ? new URL(value, ownOrigin) : undefined
  return url?.origin === ownOrigin ? url.href : '/review/'
}

function readCookie({ headers }) {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([name]) => name === cookie)?.[1]
}

/** Sessions are stored by digest, so that the time of a look-up does not leak the secret. */
function digest(secret) {
  return createHash('sha256').update(String(secret)).digest('hex')
}

module.exports = { createSignIn }
