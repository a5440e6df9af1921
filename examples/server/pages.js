const { join } = require('node:path')
const express = require('express')
const { reviewPage } = require('express-change-requests/page')

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** The review page, and an example of a flags page of the host app, which proposes changes. */
function createPages(signIn) {
  const router = express.Router()
  router.get('/', (_req, res) => {
    res.redirect('/review/')
  })
  router.use('/review', reviewPage({ api: '/api/admin', signIn }))
  // This page has no prompt for a key: only users who signed in to the app can propose.
  if (signIn !== 'host') return router
  const harden = (_req, res, next) => {
    res.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
    })
    next()
  }
  // Only for GET, so that nothing here can write without a review.
  router.get(/^\/flags(?:\/|$)/, harden, express.static(join(__dirname, 'static')))
  return router
}

module.exports = { createPages }
