const { createHash, randomBytes } = require('node:crypto')
const express = require('express')
const { apiKeys, ChangeRequestError } = require('express-change-requests')

const cookie = 'example-session'

/**
 * A sign-in as a host has one: a link that only the person knows sets a cookie. Programs send a key instead. The links
 * and sessions of this example end with the process.
 */
function createSignIn(users) {
  const byKey = apiKeys(users.map(({ key, user, grants }) => ({ key, user, grants })))
  const links = new Map()
  const sessions = new Map()
  const routes = express.Router()
  routes.get('/as/:name', (req, res, next) => {
    const session = links.get(digest(req.query.code))
    if (session === undefined || session.name !== req.params.name) return next()
    // HttpOnly: no script reads it. Strict: no request that another site causes carries it.
    res.cookie(cookie, session.secret, { httpOnly: true, sameSite: 'strict', path: '/' })
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect('/review/')
  })

  return {
    routes,
    authenticate(req) {
      if (req.headers.authorization !== undefined) return byKey(req)
      const actor = sessions.get(digest(readCookie(req)))
      if (actor === undefined) return null
      refuseOtherSites(req)
      return actor
    },
    /** The path of the link that signs a person in. */
    linkOf({ user, grants }) {
      const code = randomBytes(24).toString('base64url')
      const secret = randomBytes(32).toString('base64url')
      links.set(digest(code), { name: user.username, secret })
      sessions.set(digest(secret), { ...user, grants })
      return `/as/${user.username}?code=${code}`
    },
  }
}

/** A browser adds the cookie by itself, so a write must come from a page of this server, and browsers say whether it does. */
function refuseOtherSites({ method, headers }) {
  if (method === 'GET' || method === 'HEAD') return
  const { 'sec-fetch-site': site, origin = '', host } = headers
  if (site === 'same-origin') return
  // Old browsers send `Origin` alone.
  if (site === undefined && URL.canParse(origin) && new URL(origin).host === host) return
  throw new ChangeRequestError('ForbiddenError', 'This request comes from another site.')
}

function readCookie({ headers }) {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([name]) => name === cookie)?.[1]
}

/** Looked up in place of the secret, so that the time of a look-up says nothing about it. */
function digest(secret) {
  return createHash('sha256').update(String(secret)).digest('hex')
}

module.exports = { createSignIn }
